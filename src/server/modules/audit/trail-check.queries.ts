import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export async function findTrailCheck(db: Db): Promise<{ faults: string; checked_at: Date | null }> {
  return db
    .selectFrom('stored_check')
    .select(['faults', 'checked_at'])
    .where('name', '=', 'audit-chain')
    .executeTakeFirstOrThrow()
}

/** False when no check is due for a day, or another process has it. */
export async function claimTrailCheck(db: Db): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stored_check')
    .set({ started_at: sql<Date>`now()` })
    .where('name', '=', 'audit-chain')
    .where(sql<boolean>`started_at < now() - interval '1 day'`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function storeTrailCheck(tx: Tx, faults: number): Promise<void> {
  await tx
    .updateTable('stored_check')
    .set({ started_at: sql<Date>`now()`, checked_at: sql<Date>`clock_timestamp()`, faults: String(faults) })
    .where('name', '=', 'audit-chain')
    .execute()
}
