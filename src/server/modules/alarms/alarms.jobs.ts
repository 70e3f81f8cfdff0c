import type { PlatformDeps } from '#server/platform/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { runChecks } from './alarms.service.ts'

const PAUSE_MS = 600_000

export function startAlarmJobs({ db, log }: PlatformDeps): Loop[] {
  return startLoops(log, [
    { name: 'daily checks of audit trail and ledger', pauseMs: PAUSE_MS, round: () => runChecks(db) },
  ])
}
