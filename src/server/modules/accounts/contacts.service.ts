import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Log } from '#server/platform/log/log.ts'
import { getContacts, lockContactRows, selectContactsByName } from './contacts.queries.ts'
import type { Contacts } from './contacts.rules.ts'
import { usernameKey } from './usernames.rules.ts'

/** Which player changes their contacts, and where the call comes from. */
export type ContactCall = { userId: string; address: string; requestId: string; log: Log }

/** Ignores the case of the name. */
export async function findContactsByName(db: Db, username: string): Promise<Contacts | undefined> {
  const key = usernameKey(username)
  return key === null ? undefined : selectContactsByName(db, key)
}

/**
 * Locks an account and its contacts, and those of anyone who else has `phone`. First in a transaction that changes
 * password or contacts, so that all of them take turns and none waits for another in a circle.
 */
export async function lockContacts(
  tx: Tx,
  { userId, phone }: { userId: string; phone: string | null },
): Promise<{ own: Contacts; holder: Contacts | undefined }> {
  const rows = await lockContactRows(tx, { userId, phone })
  return {
    // Read again where there is no row to lock: contacts may have been erased.
    own: rows.find((row) => row.userId === userId) ?? (await getContacts(tx, userId)),
    holder: rows.find((row) => row.userId !== userId),
  }
}
