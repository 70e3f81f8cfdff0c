import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { answerNextRequest, type LinkDeps } from './link-requests.service.ts'
import { removeOldLinks } from './resets.service.ts'

/** Requests are looked at by the clock, not when they come: what is done for one does not show in the time of the next. */
const POLL_MS = 1_000
const HOUR_MS = 3_600_000

export function startPasswordJobs(deps: LinkDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'password requests', pauseMs: POLL_MS, round: () => answerNextRequest(deps) },
    { name: 'old password links', pauseMs: HOUR_MS, round: () => removeOldLinks(deps) },
  ])
}
