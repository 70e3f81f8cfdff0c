import { maskEmail } from './masking.rules.ts'

/** Mailboxes are one whatever the case of their letters, as people type them. */
export const isSameEmail = (one: string | null, other: string): boolean =>
  one !== null && one.toLowerCase() === other.toLowerCase()

/** Which address a player means: their own, which the browser knows masked, or another as typed. */
export const meantEmail = (own: string | null, typed: string): string =>
  own !== null && typed === maskEmail(own) ? own : typed

/** How a player can be reached, and what they have proved of it. */
export type Contacts = {
  userId: string
  username: string
  email: string | null
  isEmailVerified: boolean
  /** Canonical. */
  phone: string | null
  isPhoneVerified: boolean
}

/** What an account must prove that it still holds before its e-mail changes; null when nothing was ever proved. */
export function currentFactor(
  contacts: Omit<Contacts, 'userId' | 'username'>,
): { channel: 'email'; email: string } | { channel: 'phone'; phone: string } | null {
  const { email, phone } = contacts
  if (email !== null && contacts.isEmailVerified) return { channel: 'email', email }
  return phone !== null && contacts.isPhoneVerified ? { channel: 'phone', phone } : null
}
