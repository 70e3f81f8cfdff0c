import { startLoop, type Loop } from '#server/platform/jobs/loop.ts'
import { runDueTasks } from './reconciliation.service.ts'
import type { ReconciliationDeps } from './pull.service.ts'

const LOOK_MS = 15_000

/** Looks often and works rarely: what is due, and who does it, stands in the database. */
export function startReconciliationJobs(deps: ReconciliationDeps): Loop[] {
  return [
    startLoop({
      name: 'reconciliation',
      pauseMs: LOOK_MS,
      log: deps.log,
      async round() {
        await runDueTasks(deps)
        return false
      },
    }),
  ]
}
