import type { PlatformDeps } from '#server/platform/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { carryOutDuePlan } from './due-prices.service.ts'

/** Planned prices come and go back within seconds of their time. */
export function startPlannedPriceJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'planned prices', pauseMs: 5_000, round: () => carryOutDuePlan(deps) },
  ])
}
