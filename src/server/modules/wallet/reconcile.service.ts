import type { Db } from '#server/platform/db/database.ts'
import { reconcileQueries } from './reconcile.queries.ts'

/** One check: its name, what it looks for, and how many rows break it. All must be 0. */
export type ReconcileRow = { check: string; meaning: string; count: number }

/** Runs R1–R11 in one snapshot, so that money in flight is never seen half-moved. */
export async function reconcile(db: Db): Promise<ReconcileRow[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const rows: ReconcileRow[] = []
      for (const { check, meaning, count } of reconcileQueries) {
        rows.push({ check, meaning, count: await count(tx) })
      }
      return rows
    })
}
