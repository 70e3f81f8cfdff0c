import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { eraseOldPictures } from './recharge-claims.service.ts'

const ERASE_PAUSE_MS = 3_600_000

/** Pictures of claims that were answered long ago. */
export function startClaimJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'claim pictures', pauseMs: ERASE_PAUSE_MS, round: () => eraseOldPictures(deps) },
  ])
}
