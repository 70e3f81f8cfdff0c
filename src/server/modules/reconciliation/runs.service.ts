import type { Reconciliation } from '#contract/operator/daily-closes.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { reconcile, reconcileIn, type ReconcileRow } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sqlState } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { conflict } from '#server/platform/values/errors.ts'
import {
  findAskedRun,
  findReconciliation,
  finishRun,
  insertRequestedRun,
  insertDailyRun,
  insertFinishedRun,
  markRunFailed,
  type Outcome,
  takeRun,
} from './runs.queries.ts'

/** SQLSTATE serialization_failure (PostgreSQL, appendix A). */
const SERIALIZATION_FAILURE = '40001'

const reconciliationRunning = () => conflict('Một lần đối soát khác đang chạy. Vui lòng chờ kết quả.')

type Call = Parameters<typeof actAsOperator>[1]

export const readReconciliation = (db: Db): Promise<Reconciliation> => findReconciliation(db)

/** An operator requests a run. Throws CONFLICT while another one is not finished. */
export async function startReconciliation(deps: PlatformDeps, call: Call): Promise<Reconciliation> {
  return actAsOperator<Reconciliation>(deps, call, {
    action: 'reconciliation.start',
    async work(tx) {
      const { last } = await findReconciliation(tx)
      const id = await insertRequestedRun(tx, call.identity.userId)
      if (id === undefined) throw reconciliationRunning()
      return {
        answer: await findReconciliation(tx),
        audit: {
          subject: { type: 'reconciliation', id },
          details: { before: { last: last?.id ?? null }, after: { running: id } },
        },
      }
    },
  })
}

/** Makes the requested run, or that of the day. A run that fails is marked so, and the next may be requested. */
export async function runDueReconciliation({ db, log }: Pick<PlatformDeps, 'db' | 'log'>): Promise<void> {
  await insertDailyRun(db)
  const id = await findAskedRun(db)
  if (id === undefined) return
  try {
    await runReconciliation(db, id)
  } catch (error) {
    // Another process has finished this run after our snapshot was taken and before we had the lock.
    if (sqlState(error) === SERIALIZATION_FAILURE) return
    log.error({ event: 'reconciliation.broken', err: error }, 'the checks of the books came to no end')
    await markRunFailed(db, id)
  }
}

/** Everything in one snapshot, and its outcome in the same transaction: two processes never store two. */
async function runReconciliation(db: Db, id: string): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      if (!(await takeRun(tx)) || (await findAskedRun(tx)) !== id) return
      const startedAt = performance.now()
      await finishRun(tx, id, outcomeOf(await reconcileIn(tx), startedAt))
    })
}

/** Runs the checks for the command line, and stores what they found like any other run. */
export async function reconcileAndStore(db: Db): Promise<ReconcileRow[]> {
  const startedAt = performance.now()
  const rows = await reconcile(db)
  await insertFinishedRun(db, outcomeOf(rows, startedAt))
  return rows
}

const outcomeOf = (rows: readonly ReconcileRow[], startedAt: number): Outcome => ({
  took_ms: Math.round(performance.now() - startedAt),
  found: rows.reduce((sum, { count }) => sum + count, 0),
  rules: rows.map(({ check, count, examples }) => ({ rule: check, found: count, examples })),
})
