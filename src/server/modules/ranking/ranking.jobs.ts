import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { refreshRankings, type RankingDeps } from './refresh.service.ts'

const LOOK_MS = 30_000

/** Looks often and takes a picture only where the last one is old: at the start, and then every few minutes. */
export function startRankingJobs(deps: RankingDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'rankings', pauseMs: LOOK_MS, round: () => refreshRankings(deps) }])
}
