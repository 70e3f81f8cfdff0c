import { sql, type Insertable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export async function findTaken(
  db: Db,
  { usernameKey, phone }: { usernameKey: string; phone: string },
): Promise<{ isUsernameTaken: boolean; isPhoneTaken: boolean }> {
  const { rows } = await sql<{ isUsernameTaken: boolean; isPhoneTaken: boolean }>`
    SELECT EXISTS (SELECT FROM users WHERE username_key = ${usernameKey}) AS "isUsernameTaken",
           EXISTS (SELECT FROM user_contacts WHERE phone = ${phone}) AS "isPhoneTaken"`.execute(db)
  return rows[0] as { isUsernameTaken: boolean; isPhoneTaken: boolean }
}

export async function drawUserId(tx: Tx): Promise<string> {
  const { rows } = await sql<{ id: string }>`SELECT nextval('users_id_seq') AS id`.execute(tx)
  return (rows[0] as { id: string }).id
}

export async function findReferrerId(
  tx: Tx,
  { usernameKey, userId }: { usernameKey: string | null; userId: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM users WHERE username_key = ${usernameKey} OR id = ${userId}::bigint
     ORDER BY (username_key = ${usernameKey}) DESC NULLS LAST LIMIT 1`.execute(tx)
  return rows[0]?.id ?? null
}

export async function insertUser(tx: Tx, user: Insertable<DB['users']>): Promise<void> {
  await tx.insertInto('users').values(user).execute()
}

export async function insertContacts(tx: Tx, contacts: Insertable<DB['user_contacts']>): Promise<void> {
  await tx.insertInto('user_contacts').values(contacts).execute()
}
