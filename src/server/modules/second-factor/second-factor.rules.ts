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

/** What a player typed: spaces, hyphens and case mean nothing, and look-alikes are what they look like. */
export function readCode(text: string): { kind: 'app' | 'recovery'; code: string } | null {
  const plain = text.replace(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(plain)) return { kind: 'app', code: plain }
  const code = plain.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  const isRecovery =
    code.length === RECOVERY_CODE_LENGTH && [...code].every((letter) => ALPHABET.includes(letter))
  return isRecovery ? { kind: 'recovery', code } : null
}
