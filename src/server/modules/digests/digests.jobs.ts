import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { sendDigests, type DigestDeps } from './digests.service.ts'

const TEN_MINUTES_MS = 600_000

export function startDigestJobs(deps: DigestDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'daily digests', pauseMs: TEN_MINUTES_MS, round: () => sendDigests(deps) },
  ])
}
