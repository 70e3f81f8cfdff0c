import type { PlatformDeps } from '#server/platform/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { eraseOldPersonal } from './audit.service.ts'

const HOUR_MS = 3_600_000

export function startAuditJobs({ db, log }: PlatformDeps): Loop[] {
  const round = () => eraseOldPersonal(db)
  return startLoops(log, [{ name: 'old personal parts of the audit trail', pauseMs: HOUR_MS, round }])
}
