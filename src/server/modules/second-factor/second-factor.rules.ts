import { Secret, TOTP } from 'otpauth'
import { codesTyped, typedLetters } from '#server/platform/values/typed-code.rules.ts'

export const RECOVERY_CODES = 10
const RECOVERY_CODE_LENGTH = 10
/** Digits and letters that are not taken for each other: 50 bits in ten of them. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** One recovery code of as many random bytes, in its stored form. */
export function recoveryCodeOf(random: Uint8Array): string {
  return Array.from(random.subarray(0, RECOVERY_CODE_LENGTH), (byte) => ALPHABET[byte % 32]).join('')
}

/** As it is shown, easier to copy by hand: `7K2M9-XQ4TR`. */
export const shownRecoveryCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

type Typed = { kind: 'app'; code: string } | { kind: 'recovery'; codes: string[] }

const isRecoveryCode = (text: string) =>
  text.length === RECOVERY_CODE_LENGTH &&
  [...withoutLookAlikes(text)].every((letter) => ALPHABET.includes(letter))

const withoutLookAlikes = (text: string) => text.replaceAll('O', '0').replaceAll(/[IL]/g, '1')

/** Whoever guesses has so many tries at once. */
const READINGS_MAX = 100

/**
 * What a player typed: what stands between the letters and their case mean nothing, `O`, `I` and `L` are the digits that they look like,
 * and a keyboard for Vietnamese may have made marks of letters.
 */
export function readCode(text: string): Typed | null {
  const plain = typedLetters(text)
  if (/^\d{6}$/.test(plain)) return { kind: 'app', code: plain }
  const codes = codesTyped(text, isRecoveryCode).map(withoutLookAlikes)
  return codes.length === 0 ? null : { kind: 'recovery', codes: codes.slice(0, READINGS_MAX) }
}

/** What every authenticator app understands (RFC 6238). */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Steps before and after the present one: phones' clocks go wrong, and typing takes time. */
const WINDOW_STEPS = 1
const SECRET_BYTES = 20

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The address an app reads from the QR; the app lists the account as the site's name and the player's. */
export function setupUri({ secret, site, username }: Record<'secret' | 'site' | 'username', string>): string {
  // A colon parts the two names.
  const issuer = site.replaceAll(':', ' ')
  return new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret), issuer, label: username }).toString()
}

/** No code taken by a right clock is so many steps ahead of one that may be typed now. */
export const STEPS_AHEAD_MAX = 2 * WINDOW_STEPS + 1

/**
 * The step a code belongs to, or null when it is wrong or not newer than the last one that was taken. One too far ahead, which
 * a clock that was ahead took, would bar all codes until then.
 */
export function matchingStep(
  { secret, lastStep }: { secret: string; lastStep: number },
  { code, now }: { code: string; now: Date },
): number | null {
  const totp = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: WINDOW_STEPS })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / SHAPE.period) + delta
  return step > lastStep || lastStep > step + STEPS_AHEAD_MAX ? step : null
}
