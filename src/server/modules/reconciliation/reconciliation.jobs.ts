import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { askDueCheckouts } from './asked-orders.service.ts'
import { runDueReconciliation } from './runs.service.ts'
import { runDueTasks } from './reconciliation.service.ts'
import type { ReconciliationDeps } from './pull.service.ts'

const LOOK_MS = 15_000
const CHECKOUT_PAUSE_MS = 2_000
/** An operator waits for the run that was asked for. */
const RUN_PAUSE_MS = 2_000

/** Checks often and works rarely: what is due, and which process does it, is stored in the database. */
export function startReconciliationJobs(deps: ReconciliationDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'reconciliation', pauseMs: LOOK_MS, round: () => runDueTasks(deps) },
    { name: 'recharge checkouts', pauseMs: CHECKOUT_PAUSE_MS, round: () => askDueCheckouts(deps) },
    { name: 'checks of the books', pauseMs: RUN_PAUSE_MS, round: () => runDueReconciliation(deps) },
  ])
}
