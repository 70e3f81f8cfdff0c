import type { PlatformDeps } from '#server/domain/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { eraseOldPersonal } from './audit.service.ts'
import { sealTrail, verifyDaily } from './trail.service.ts'

const HOUR_MS = 3_600_000
const CHECK_PAUSE_MS = 600_000

export function startAuditJobs(deps: PlatformDeps): Loop[] {
  const { db, log } = deps
  return startLoops(log, [
    { name: 'old personal parts of the audit trail', pauseMs: HOUR_MS, round: () => eraseOldPersonal(db) },
    { name: 'daily seal of the audit trail', pauseMs: CHECK_PAUSE_MS, round: () => sealTrail(deps) },
    { name: 'daily check of the audit trail', pauseMs: CHECK_PAUSE_MS, round: () => verifyDaily(deps) },
  ])
}
