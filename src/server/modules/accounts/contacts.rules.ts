import { maskEmail } from './masking.rules.ts'

/** Mailboxes are one whatever the case of their letters, as people type them. */
export const isSameEmail = (one: string | null, other: string): boolean =>
  one !== null && one.toLowerCase() === other.toLowerCase()

/** Which address a player means: their own, which the browser knows masked, or another as typed. */
export const meantEmail = (own: string | null, typed: string): string =>
  own !== null && typed === maskEmail(own) ? own : typed

type Known = {
  email: string | null
  isEmailVerified: boolean
  phone: string | null
  isPhoneVerified: boolean
}

/** What an account must prove that it still holds before its e-mail changes; null when nothing was ever proved. */
export function currentFactor({
  email,
  isEmailVerified,
  phone,
  isPhoneVerified,
}: Known): { channel: 'email'; email: string } | { channel: 'phone'; phone: string } | null {
  if (email !== null && isEmailVerified) return { channel: 'email', email }
  if (phone !== null && isPhoneVerified) return { channel: 'phone', phone }
  return null
}
