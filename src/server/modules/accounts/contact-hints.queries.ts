import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onOnePage } from '#server/domain/personal-part.ts'

/** At least one of the two; the phone is canonical. */
export type ContactHint = { phone: string | null; email: string | null }

export async function insertContactHints(
  tx: Tx,
  hints: readonly (ContactHint & { userId: string })[],
): Promise<void> {
  await tx
    .insertInto('contact_hint')
    .values(hints.map(({ userId, phone, email }) => ({ user_id: userId, phone, email })))
    .execute()
}

export async function selectContactHint(db: Db, userId: string): Promise<ContactHint | undefined> {
  return db
    .selectFrom('contact_hint')
    .select(['phone', 'email'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function deleteContactHint(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('contact_hint').where('user_id', '=', userId).execute()
}

export const exportContactHint = onOnePage(
  ({ id }) => sql`SELECT phone, email FROM contact_hint WHERE user_id = ${id}::bigint`,
)
