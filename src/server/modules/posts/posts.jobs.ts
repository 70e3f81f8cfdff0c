import type { PlatformDeps } from '#server/platform/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { purgeViews } from './views.service.ts'

const PURGE_MS = 3_600_000

/** Views themselves are written by the process that saw them; see `closeViews`. */
export function startPostJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'posts.purge', pauseMs: PURGE_MS, round: () => purgeViews(deps) }])
}
