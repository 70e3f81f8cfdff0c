import { sql } from 'kysely'
import type { PlatformDeps } from '../deps.ts'

const CLEANED_AT_ONCE = 1_000

/**
 * Removes one batch of counters whose time is over; true when there may be more. Their time is told by the clock of
 * whoever counted, so it is ours that is compared.
 */
export async function removeExpiredCounters({
  db,
  clock,
}: Pick<PlatformDeps, 'db' | 'clock'>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM rate_limit WHERE key IN (
      SELECT key FROM rate_limit WHERE expire <= ${clock.now().getTime()}::bigint
       ORDER BY expire LIMIT ${CLEANED_AT_ONCE} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(numAffectedRows) === CLEANED_AT_ONCE
}
