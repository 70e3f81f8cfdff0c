import type { PlatformDeps } from '#server/domain/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { forgetOldDevices } from './known-devices.service.ts'
import { removeExpiredSessions } from './sessions.service.ts'
import { removeOldSignIns } from './sign-ins.service.ts'

const HOUR_MS = 3_600_000

export function startSessionJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'expired sessions', pauseMs: HOUR_MS, round: () => removeExpiredSessions(deps) },
    { name: 'forgotten devices', pauseMs: HOUR_MS, round: () => forgetOldDevices(deps) },
    { name: 'old sign-ins', pauseMs: HOUR_MS, round: () => removeOldSignIns(deps) },
  ])
}
