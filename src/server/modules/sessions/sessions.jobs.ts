import type { PlatformDeps } from '#server/platform/deps.ts'
import { startLoop, type Loop } from '#server/platform/jobs/loop.ts'
import { forgetOldDevices } from './known-devices.service.ts'
import { removeExpiredSessions } from './sessions.service.ts'
import { removeOldSignIns } from './sign-ins.service.ts'

const HOUR_MS = 3_600_000

export function startSessionJobs(deps: PlatformDeps): Loop[] {
  return [
    startLoop({
      name: 'expired sessions',
      pauseMs: HOUR_MS,
      log: deps.log,
      round: () => removeExpiredSessions(deps),
    }),
    startLoop({
      name: 'forgotten devices',
      pauseMs: HOUR_MS,
      log: deps.log,
      round: () => forgetOldDevices(deps),
    }),
    startLoop({
      name: 'old sign-ins',
      pauseMs: HOUR_MS,
      log: deps.log,
      round: () => removeOldSignIns(deps),
    }),
  ]
}
