import { sql } from 'kysely'
import type { Closure, MaintenanceSection } from '#contract/operator/maintenance.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type StoredSection = { section: MaintenanceSection; closure: Closure | null; updatedAt: Date }

type Row = { section: string; message: string | null; until: Date | null; updated_at: Date }

const toSection = ({ section, message, until, updated_at }: Row): StoredSection => ({
  section: section as MaintenanceSection,
  closure: message === null ? null : { message, until: until?.toISOString() ?? null },
  updatedAt: updated_at,
})

export async function selectSections(db: Db | Tx): Promise<StoredSection[]> {
  return (await db.selectFrom('maintenance').selectAll().orderBy('section').execute()).map(toSection)
}

/** Locks what there is before it is changed. */
export async function lockSections(tx: Tx): Promise<StoredSection[]> {
  const rows = await tx.selectFrom('maintenance').selectAll().orderBy('section').forUpdate().execute()
  return rows.map(toSection)
}

export async function updateSection(
  tx: Tx,
  section: MaintenanceSection,
  closure: Closure | null,
): Promise<void> {
  await tx
    .updateTable('maintenance')
    .set({
      message: closure?.message ?? null,
      until: closure?.until ?? null,
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('section', '=', section)
    .execute()
}
