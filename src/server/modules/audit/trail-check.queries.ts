import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { ChainFault } from './chain.queries.ts'

export async function findTrailCheck(db: Db) {
  return db
    .selectFrom('stored_check')
    .select(['faults', 'checked_at', 'whole_at', 'verified_seal', 'first_fault', 'first_place'])
    .$narrowType<{ first_fault: ChainFault['fault'] | null }>()
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

type Found = { faults: number; first: ChainFault | null; seal: string; isWhole: boolean }

/** What a check found. After faults the next one begins anew, so that they are told until they are gone. */
export async function storeTrailCheck(db: Db, { faults, first, seal, isWhole }: Found): Promise<void> {
  await db
    .updateTable('stored_check')
    .set({
      started_at: sql<Date>`now()`,
      checked_at: sql<Date>`clock_timestamp()`,
      faults: String(faults),
      first_fault: first?.fault ?? null,
      first_place: first?.seq ?? null,
      verified_seal: faults === 0 ? seal : '0',
      ...(isWhole ? { whole_at: sql<Date>`clock_timestamp()` } : {}),
    })
    .where('name', '=', 'audit-chain')
    .execute()
}
