import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/http/refusal.ts'

export type Credentials = {
  id: string
  username: string
  serverId: string
  passwordHash: string
  banUntil: Date | null
  banReason: string | null
}

const credentials = (db: Db) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'username',
      'server_id as serverId',
      'password_hash as passwordHash',
      'ban_until as banUntil',
      'ban_reason as banReason',
    ])

export async function selectCredentials(db: Db, key: string): Promise<Credentials | undefined> {
  return credentials(db).where('username_key', '=', key).executeTakeFirst()
}

/** The credentials of a player who is signed in. */
export async function getCredentialsOf(db: Db, userId: string): Promise<Credentials> {
  return credentials(db).where('id', '=', userId).executeTakeFirstOrThrow(notFound)
}

/** Sets a hash in place of the one the caller knows; false when that one has been replaced meanwhile. */
export async function setPasswordHash(
  db: Db | Tx,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Sets a new password's hash, whatever the old one was. Locks the account's row: anyone who is opening a session by the old
 * password is waited for. End the sessions in the same transaction, after this.
 */
export async function setNewPasswordHash(
  tx: Tx,
  { userId, hash }: { userId: string; hash: string },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}
