import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#server/platform/db/database.ts'

/** Until one connection of this database, and no more, is held up by a lock. */
export async function oneWaits(db: Db): Promise<void> {
  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
    return rows[0]?.count
  }
  await expect.poll(countWaiting, { timeout: 5_000 }).toBe(1)
}
