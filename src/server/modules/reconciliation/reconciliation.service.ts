import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { queryDueCheckouts } from './order-queries.service.ts'
import { dayBefore, nextAt } from './daily-close.rules.ts'
import { reconcileDay, reconcileDueDays } from './daily-close.service.ts'
import { claimTask, finishTask } from './pull.queries.ts'
import { pullLists, type ReconciliationDeps } from './pull.service.ts'
import { runDueReconciliation } from './runs.service.ts'

/** Longer than a slow provider takes; a process that died lets go after it. */
const CLAIM_SECONDS = 1_800
const PULL_EVERY_SECONDS = 600
const DAY_SECONDS = 86_400
/** Half past midnight in Vietnam. */
const NIGHTLY_MINUTES = 30
/** Yesterday, and the days before it once more: some payments are reported late without a change of our rows. */
const NIGHTLY_DAYS = 3

/** Does what is due, one process at a time. A task that fails is due again once its claim has run out. */
export async function runDueTasks(deps: ReconciliationDeps): Promise<void> {
  const pull = { name: 'pull', everySeconds: PULL_EVERY_SECONDS, claimSeconds: CLAIM_SECONDS } as const
  if (await claimTask(deps.db, pull)) {
    await pullLists(deps)
    await reconcileDueDays(deps)
    await finishTask(deps.db, { name: 'pull', afterSeconds: PULL_EVERY_SECONDS })
  }
  const nightly = { name: 'nightly', everySeconds: DAY_SECONDS, claimSeconds: CLAIM_SECONDS } as const
  if (await claimTask(deps.db, nightly)) {
    let day = dayBefore(deps.clock.now())
    for (let count = 0; count < NIGHTLY_DAYS; count += 1) {
      await reconcileDay(deps, day)
      day = dayBefore(new Date(`${day}T00:00:00+07:00`))
    }
    const now = deps.clock.now()
    const afterSeconds = (nextAt(now, NIGHTLY_MINUTES).getTime() - now.getTime()) / 1_000
    await finishTask(deps.db, { name: 'nightly', afterSeconds })
  }
}

const LOOK_MS = 15_000
const CHECKOUT_PAUSE_MS = 2_000
/** An operator waits for the requested run. */
const RUN_PAUSE_MS = 2_000

/** Checks often and works rarely: what is due, and which process does it, is stored in the database. */
export function startReconciliationJobs(deps: ReconciliationDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'reconciliation', pauseMs: LOOK_MS, round: () => runDueTasks(deps) },
    { name: 'recharge checkouts', pauseMs: CHECKOUT_PAUSE_MS, round: () => queryDueCheckouts(deps) },
    { name: 'checks of the books', pauseMs: RUN_PAUSE_MS, round: () => runDueReconciliation(deps) },
  ])
}
