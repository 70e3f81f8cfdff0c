import { sql } from 'kysely'
import { BATCH_ROWS, isFullBatch, startLoops, type Loop } from '../jobs/loop.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import { nowMs } from './shared-limiter.ts'

const PAUSE_MS = 300_000

export function startLimitJobs(deps: { db: Db; log: Log }): Loop[] {
  return startLoops(deps.log, [
    { name: 'expired counters', pauseMs: PAUSE_MS, round: () => removeExpiredCounters(deps) },
  ])
}

/** Removes one batch of expired counters; true when there may be more. */
export async function removeExpiredCounters({ db }: { db: Db }): Promise<boolean> {
  const deleted = await sql`
    DELETE FROM rate_limit WHERE key IN (
      SELECT key FROM rate_limit WHERE expire <= ${nowMs}
       ORDER BY expire LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`.execute(db)
  return isFullBatch(deleted)
}
