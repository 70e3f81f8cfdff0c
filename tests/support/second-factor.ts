import { Secret, TOTP } from 'otpauth'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestApp } from './app.ts'

/** What an authenticator app shows `stepsAhead` of now. */
export function appCode(secret: string, stepsAhead = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + stepsAhead * 30_000,
  })
}

/** Turns the second factor on as a player does; `code` is the one it took. */
export async function turnOnSecondFactor(
  test: Pick<TestApp, 'call'>,
  token: string,
): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const started = await test.call('POST', '/api/user/second-factor', { token })
  invariant(started.status === 200, `a set-up starts: ${JSON.stringify(started.body)}`)
  const { secret } = started.body as { secret: string }
  const code = appCode(secret)
  const confirmed = await test.call('POST', '/api/user/second-factor/confirm', {
    token,
    body: { code },
  })
  invariant(confirmed.status === 200, `a set-up is confirmed: ${JSON.stringify(confirmed.body)}`)
  const { recovery_codes: recoveryCodes } = confirmed.body as { recovery_codes: string[] }
  return { secret, code, recoveryCodes }
}
