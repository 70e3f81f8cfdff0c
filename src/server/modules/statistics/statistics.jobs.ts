import type { PlatformDeps } from '#server/platform/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { computeStatistics } from './statistics.service.ts'

const MINUTE_MS = 60_000

export function startStatisticsJobs({ db, clock, log }: PlatformDeps): Loop[] {
  const round = () => computeStatistics({ db, now: clock.now() })
  return startLoops(log, [{ name: 'figures of the last hours', pauseMs: MINUTE_MS, round }])
}
