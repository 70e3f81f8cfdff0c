import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { allowLongChecks, reconcileQueries, type Found } from './reconcile.queries.ts'

/** One check: its name, what it looks for, how many rows break it, and the first of them. All must be 0. */
export type ReconcileRow = Found & Pick<(typeof reconcileQueries)[number], 'check' | 'meaning'>

/** Runs R1–R12 in one snapshot, so that money in flight is never seen half-moved. */
export const reconcile = (db: Db): Promise<ReconcileRow[]> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(reconcileIn)

/** The same in a transaction of the caller, which has to be of one snapshot. */
export async function reconcileIn(tx: Tx): Promise<ReconcileRow[]> {
  await allowLongChecks(tx)
  const rows: ReconcileRow[] = []
  for (const { check, meaning, find } of reconcileQueries) {
    rows.push({ check, meaning, ...(await find(tx)) })
  }
  return rows
}
