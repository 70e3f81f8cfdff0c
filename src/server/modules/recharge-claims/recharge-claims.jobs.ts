import { startLoop, type Loop } from '#server/platform/jobs/loop.ts'
import { eraseOldPictures, type ClaimsDeps } from './recharge-claims.service.ts'

const ERASE_PAUSE_MS = 3_600_000

/** Pictures of claims that were answered long ago. */
export function startClaimJobs(deps: ClaimsDeps): Loop[] {
  return [
    startLoop({
      name: 'claim pictures',
      pauseMs: ERASE_PAUSE_MS,
      log: deps.log,
      round: () => eraseOldPictures(deps),
    }),
  ]
}
