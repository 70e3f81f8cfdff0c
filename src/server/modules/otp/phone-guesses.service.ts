import type { PlatformDeps } from '#server/platform/deps.ts'
import { clientKey, networkOf } from '#server/platform/http/client-address.ts'
import { DAY_TRIES_MAX, STRANGER_DAY_TRIES_MAX, type CodeUse } from './codes.rules.ts'
import { tryCode } from './codes.service.ts'
import { WRONG_TRIES_PER_ADDRESS_AND_PHONE, WRONG_TRIES_PER_NETWORK_AND_PHONE } from './otp.limits.ts'

/** Who tries a code of a phone. The device is known when the account that proved the phone signed in on it. */
export type Guesser = { address: string; isKnownDevice: boolean }

/**
 * Tries a phone's code for somebody who only names the phone. Wrong tries of one address and of one network are few,
 * less than would use up the phone's day or, from one address, kill a code; beyond them 429, and the code is not asked.
 * They are counted first, so that no number at once slips through, and given back unless a living code was missed.
 */
export async function tryPhoneCode(
  { db, vault, limits }: Pick<PlatformDeps, 'db' | 'vault' | 'limits'>,
  { phone, code, use }: { phone: string; code: string; use: CodeUse },
  { address, isKnownDevice }: Guesser,
): Promise<boolean> {
  const guess = { target: { channel: 'phone', phone } as const, code, use }
  if (isKnownDevice) {
    return (await tryCode(vault, db, { ...guess, dayTriesMax: DAY_TRIES_MAX })) === 'right'
  }
  const counted = [
    { limit: WRONG_TRIES_PER_ADDRESS_AND_PHONE, key: `${clientKey(address)} ${phone}` },
    { limit: WRONG_TRIES_PER_NETWORK_AND_PHONE, key: `${networkOf(address)} ${phone}` },
  ]
  for (const { limit, key } of counted) await limits.consume(limit, key)
  let isMissed = false
  try {
    const outcome = await tryCode(vault, db, { ...guess, dayTriesMax: STRANGER_DAY_TRIES_MAX })
    isMissed = outcome === 'wrong'
    return outcome === 'right'
  } finally {
    if (!isMissed) for (const { limit, key } of counted) await limits.giveBack(limit, key)
  }
}
