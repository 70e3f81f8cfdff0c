import type { PlatformDeps } from '../deps.ts'
import { startLoop, type Loop } from '../jobs/loop.ts'
import { deleteExpiredCounters } from './limits.queries.ts'

const PAUSE_MS = 300_000
const CLEANED_AT_ONCE = 1_000

/** Removes one batch of counters whose time is over; true when there may be more. */
export async function removeExpiredCounters({
  db,
  clock,
}: Pick<PlatformDeps, 'db' | 'clock'>): Promise<boolean> {
  const deleted = await deleteExpiredCounters(db, { nowMs: clock.now().getTime(), limit: CLEANED_AT_ONCE })
  return deleted === CLEANED_AT_ONCE
}

export function startLimitJobs(deps: PlatformDeps): Loop[] {
  return [
    startLoop({
      name: 'expired counters',
      pauseMs: PAUSE_MS,
      log: deps.log,
      round: () => removeExpiredCounters(deps),
    }),
  ]
}
