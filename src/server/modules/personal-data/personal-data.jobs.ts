import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { carryOutNext } from './carrying-out.service.ts'

const PAUSE_MS = 5_000

/** Erases accounts, one after the other, as operators have agreed to. */
export function startPersonalDataJobs(deps: PlatformDeps & { publicUrl: string }): Loop[] {
  return startLoops(deps.log, [
    { name: 'deletion requests', pauseMs: PAUSE_MS, round: () => carryOutNext(deps) },
  ])
}
