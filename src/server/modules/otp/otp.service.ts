import type { Log } from '#server/platform/log/log.ts'
import { count } from '#server/domain/metrics.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { otpInvalid } from './otp.errors.ts'
import { type Guesser, TRIES_PER_ADDRESS, tryPhoneCode } from './codes.service.ts'
import type { OtpDeps } from './otp-deps.ts'
import { countVerified } from './sms.queries.ts'
import { maskMsisdn } from './sms.rules.ts'

export type VerifyRequest = Guesser & {
  /** Canonical. */
  phone: string
  code: string
  log: Log
}

/** Yes, or OTP_INVALID for every no there is: which one it was helps only those who guess. */
export async function verifyCode(deps: OtpDeps, request: VerifyRequest): Promise<{ verified: true }> {
  const { phone, code, address, log } = request
  await deps.limits.consume(TRIES_PER_ADDRESS, clientKey(address))
  const isVerified = await tryPhoneCode(deps, { phone, code, use: 'verify' }, request)
  count('portal_codes_total', { outcome: isVerified ? 'verified' : 'refused' })
  log.info(
    { event: isVerified ? 'otp.verified' : 'otp.refused', msisdn: maskMsisdn(phone), address },
    'a code was tried',
  )
  if (!isVerified) throw otpInvalid()
  await countVerified(deps.db).catch((error: unknown) => {
    // It is verified all the same: a figure is not worth telling the player otherwise.
    log.warn({ err: error }, 'a verified code was not counted')
  })
  return { verified: true }
}
