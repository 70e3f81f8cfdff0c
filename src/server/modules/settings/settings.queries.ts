import { sql } from 'kysely'
import { ADVISORY_LOCKS } from '#server/platform/db/advisory-lock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

type StoredSetting = { value: string; updatedAt: Date }

export async function selectSettings(db: Db | Tx): Promise<Map<string, StoredSetting>> {
  const rows = await db.selectFrom('settings').select(['key', 'value', 'updated_at']).execute()
  return new Map(rows.map(({ key, value, updated_at }) => [key, { value, updatedAt: updated_at }]))
}

export const settingTexts = sql<Record<
  string,
  string
> | null>`(SELECT json_object_agg(key, value) FROM settings)`

/** Changes take turns, also of settings that have no row yet; held until the transaction ends. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.settings})`.execute(tx)
}

export async function upsertSetting(tx: Tx, key: string, value: string): Promise<void> {
  const updated_at = sql<Date>`clock_timestamp()`
  await tx
    .insertInto('settings')
    .values({ key, value, updated_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at }))
    .execute()
}

/** A setting that has a value is left as it is. */
export async function insertSettings(
  tx: Tx,
  settings: readonly { key: string; value: string }[],
): Promise<void> {
  await tx
    .insertInto('settings')
    .values(settings)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
