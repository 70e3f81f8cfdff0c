import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export async function selectSettings(db: Db | Tx): Promise<Map<string, string>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  return new Map(rows.map((row) => [row.key, row.value]))
}

/** Locks the row of one setting and answers its value. */
export async function lockSetting(tx: Tx, key: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('settings')
    .select('value')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  return row?.value
}

export async function upsertSetting(tx: Tx, key: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: sql`now()` }))
    .execute()
}

/** Leaves alone what an operator has set. */
export async function insertMissingSettings(
  tx: Tx,
  settings: readonly { key: string; value: string }[],
): Promise<void> {
  await tx
    .insertInto('settings')
    .values([...settings])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Notifies every process that pages may have changed. Sent at COMMIT. */
export async function notifyContentChanged(tx: Tx): Promise<void> {
  await sql`SELECT pg_notify('content_changed', 'settings')`.execute(tx)
}
