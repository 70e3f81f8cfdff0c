import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { queryDueCheckouts } from './order-queries.service.ts'
import { dayBefore, nextAt } from './daily-close.rules.ts'
import { reconcileDay, reconcileDueDays } from './daily-close.service.ts'
import { claimTask, finishTask, listDueTasks, releaseTask, type Task } from './pull.queries.ts'
import { pullLists, type ReconciliationDeps } from './pull.service.ts'
import { runDueReconciliation } from './runs.service.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { doEach } from '#server/platform/values/each.ts'

/** Longer than a slow provider takes; a process that died lets go after it. */
const CLAIM_SECONDS = 1_800
const PULL_EVERY_SECONDS = 600
const DAY_SECONDS = 86_400
/** Half past midnight in Vietnam. */
const NIGHTLY_MINUTES = 30
/** Yesterday, and the days before it once more: some payments are reported late without a change of our rows. */
const NIGHTLY_DAYS = 3

/** What a task does, of which every part is done also behind one that fails; answers after how many seconds it is due again. */
type Run = (deps: ReconciliationDeps) => Promise<number>

const TASKS: (Task & { run: Run })[] = [
  { name: 'nightly', everySeconds: DAY_SECONDS, claimSeconds: CLAIM_SECONDS, run: reconcileLastDays },
  { name: 'pull', everySeconds: PULL_EVERY_SECONDS, claimSeconds: CLAIM_SECONDS, run: pull },
]

async function pull(deps: ReconciliationDeps): Promise<number> {
  await doEach(
    [pullLists, reconcileDueDays],
    ({ name }) => name,
    (part) => part(deps),
  )
  return PULL_EVERY_SECONDS
}

async function reconcileLastDays(deps: ReconciliationDeps): Promise<number> {
  const days = [dayBefore(deps.clock.now())]
  while (days.length < NIGHTLY_DAYS) days.push(dayBefore(new Date(`${days.at(-1)}T00:00:00+07:00`)))
  await doEach(
    days,
    (day) => day,
    (day) => reconcileDay(deps, day),
  )
  const now = deps.clock.now()
  return (nextAt(now, NIGHTLY_MINUTES).getTime() - now.getTime()) / 1_000
}

/** Does what is due, one process at a time. */
export async function runDueTasks(deps: ReconciliationDeps): Promise<void> {
  const { db } = deps
  await workOff(deps, {
    job: 'reconciliation',
    limit: TASKS.length + 1,
    list: (read, isResting) => listDueTasks(read, isResting, TASKS),
    async work(name) {
      const task = TASKS.find((one) => one.name === name)
      if (task === undefined || !(await claimTask(db, task))) return false
      try {
        await finishTask(db, { name, afterSeconds: await task.run(deps) })
      } catch (error) {
        await releaseTask(db, name)
        throw error
      }
      return true
    },
  })
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
