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

/** Whether a player has another way back into their account than the game. */
export const hasProvedContact = (contacts: Contacts): boolean => currentFactor(contacts) !== null

/** `hoangtuan@example.com` → `h***@example.com`: enough for its owner to know it, the same length for everybody. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}***${email.slice(at)}`
}

/** `84912345601` → `091****601`: as it is dialled at home, the middle hidden. */
export function maskPhone(canonicalPhone: string): string {
  const dialled = canonicalPhone.replace(/^84/, '0')
  return `${dialled.slice(0, 3)}****${dialled.slice(-3)}`
}

/** `hoangtuan` → `hoa***`: enough for whoever knows the name, and never more than half of a short one. */
export function maskName(name: string): string {
  const letters = [...name]
  return `${letters.slice(0, Math.min(3, Math.ceil(letters.length / 2))).join('')}***`
}
