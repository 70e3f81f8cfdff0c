import type { PlatformDeps } from '#server/platform/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { readFigures } from './figures.service.ts'
import { computeStatistics } from './statistics.service.ts'

const MINUTE_MS = 60_000
const FIGURES_MS = 30_000

export function startStatisticsJobs({ db, clock, log }: PlatformDeps): Loop[] {
  const round = () => computeStatistics({ db, now: clock.now() })
  return startLoops(log, [{ name: 'figures of the last hours', pauseMs: MINUTE_MS, round }])
}

/** For the metrics, when they are served. */
export function startFigureJobs({ db, log }: PlatformDeps): Loop[] {
  const round = () => readFigures({ db })
  return startLoops(log, [{ name: 'figures of the metrics', pauseMs: FIGURES_MS, round }])
}
