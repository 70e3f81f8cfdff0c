import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Deletes at most `limit` counters whose time is over; answers how many. Their time is that of whoever counted. */
export async function deleteExpiredCounters(
  db: Db,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM rate_limit WHERE key IN (
      SELECT key FROM rate_limit WHERE expire <= ${nowMs}::bigint ORDER BY expire LIMIT ${limit}
         FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(numAffectedRows)
}
