import type { PlatformDeps } from '../deps.ts'
import { startLoop, type Loop } from '../jobs/loop.ts'
import { removeExpiredCounters } from './expired-counters.ts'

const PAUSE_MS = 300_000

export function startLimitJobs(deps: PlatformDeps): Loop[] {
  return [
    startLoop({
      name: 'expired counters',
      pauseMs: PAUSE_MS,
      log: deps.log,
      round: () => removeExpiredCounters(deps),
    }),
  ]
}
