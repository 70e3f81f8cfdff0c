import { paths } from '#contract/pages.ts'
import type { User } from '#contract/users.ts'
import { serverNow } from '#client/server-clock.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'

const STORAGE_KEY = 'contacts-later'
/** Who put the question off on this device is left alone for so long. */
const LATER_MS = 7 * 86_400_000

/** Until when, by the player's id. */
type Later = Record<string, number>

/** Of this document: the question is put off too where nothing can be stored. */
let later: Later = {}

export const hasProvedContact = ({ email_verified, phone_verified }: User): boolean =>
  email_verified || phone_verified

/** Whether a player is to be asked for a way back into the account: they have none, and did not put it off. */
export function mustAskForContact(user: User): boolean {
  const { [user.id]: until_ms = 0 } = { ...readStored<Later>(STORAGE_KEY), ...later }
  return !hasProvedContact(user) && until_ms <= serverNow()
}

export function putOffQuestion({ id }: User): void {
  later = { ...later, [id]: serverNow() + LATER_MS }
  writeStored(STORAGE_KEY, JSON.stringify({ ...readStored<Later>(STORAGE_KEY), ...later }))
}

export type Channel = 'phone' | 'email'

/** The name in the profile's address of what is to be proved there. */
export const PROVE = 'prove'

/** Where a phone or an address is proved: the profile opens the form for it. */
export const linkToProof = (channel: Channel): string => `${paths.profile}?${PROVE}=${channel}`
