import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Contacts } from './contacts.rules.ts'

const CONTACTS = sql`
  u.id AS "userId", u.username, c.email, c.email_verified_at IS NOT NULL AS "isEmailVerified",
  c.phone, c.phone_verified_at IS NOT NULL AS "isPhoneVerified"`

async function findContacts(db: Db | Tx, which: RawBuilder<unknown>): Promise<Contacts | undefined> {
  const { rows } = await sql<Contacts>`
    SELECT ${CONTACTS} FROM users u LEFT JOIN user_contacts c ON c.user_id = u.id WHERE ${which}`.execute(db)
  return rows[0]
}

export async function selectContacts(db: Db | Tx, userId: string): Promise<Contacts | undefined> {
  return findContacts(db, sql`u.id = ${userId}::bigint`)
}

export async function selectContactsByName(db: Db, usernameKey: string): Promise<Contacts | undefined> {
  return findContacts(db, sql`u.username_key = ${usernameKey}`)
}

/**
 * Locks an account, where everything that changes its password or contacts takes turns before it touches any other row;
 * then the contacts of the player and of anyone who has the phone, in the order of their ids.
 */
export async function lockContactRows(
  tx: Tx,
  { userId, phone }: { userId: string; phone: string | null },
): Promise<Contacts[]> {
  await sql`SELECT FROM users WHERE id = ${userId}::bigint FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<Contacts>`
    SELECT ${CONTACTS} FROM user_contacts c JOIN users u ON u.id = c.user_id
     WHERE c.user_id = ${userId}::bigint OR c.phone = ${phone}
     ORDER BY c.user_id FOR UPDATE OF c`.execute(tx)
  return rows
}

/** With a proof of anything, what came over from a game has served. */
const withoutHint = (userId: string) => sql`
  gone AS (DELETE FROM contact_hint WHERE user_id = ${userId}::bigint)`

/** Inserts where there is no row: contacts may have been erased. */
export async function upsertVerifiedEmail(
  tx: Tx,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await sql`
    WITH ${withoutHint(userId)}
    INSERT INTO user_contacts (user_id, email, email_verified_at)
    VALUES (${userId}::bigint, ${email}, clock_timestamp())
    ON CONFLICT (user_id) DO UPDATE
      SET email = excluded.email, email_verified_at = excluded.email_verified_at`.execute(tx)
}

export async function upsertVerifiedPhone(
  tx: Tx,
  { userId, phone }: { userId: string; phone: string },
): Promise<void> {
  await sql`
    WITH ${withoutHint(userId)}
    INSERT INTO user_contacts (user_id, phone, phone_verified_at)
    VALUES (${userId}::bigint, ${phone}, clock_timestamp())
    ON CONFLICT (user_id) DO UPDATE
      SET phone = excluded.phone, phone_verified_at = excluded.phone_verified_at`.execute(tx)
}

export async function deleteContacts(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('user_contacts').where('user_id', '=', userId).execute()
}

export async function clearPhone(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('user_contacts')
    .set({ phone: null, phone_verified_at: null })
    .where('user_id', '=', userId)
    .execute()
}
