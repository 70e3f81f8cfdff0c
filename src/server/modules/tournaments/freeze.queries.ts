import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

/** Tournaments whose registration has come to its end, and whose list is not closed yet. */
export async function listToClose(
  db: Db,
  isResting: IsResting,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM tournaments
     WHERE cancelled_at IS NULL AND finished_at IS NULL AND current_round = 0
       AND (closed_at IS NOT NULL OR competition_start_at <= ${now})
       AND NOT EXISTS (SELECT FROM tournament_draw d WHERE d.tournament_id = tournaments.id)
       AND NOT ${isResting(sql`tournaments.id`)}
     ORDER BY competition_start_at LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export type OutAtClose = { id: string; reason: 'absent' | 'not-admitted' }

/** Teams of players that cannot play once registration is over, the first of them: those that are absent, or lack members. */
export async function listOutAtClose(
  tx: Tx,
  tournamentId: string,
  { asksCheckIn, size, limit }: { asksCheckIn: boolean; size: number; limit: number },
): Promise<OutAtClose[]> {
  const isAbsent = sql`(${asksCheckIn}::boolean AND t.checked_in_at IS NULL)`
  const { rows } = await sql<OutAtClose>`
    SELECT t.id, CASE WHEN ${isAbsent} THEN 'absent' ELSE 'not-admitted' END AS reason FROM teams t
     WHERE t.tournament_id = ${tournamentId}::bigint AND t.state IN ('held', 'admitted', 'waiting')
       AND t.captain_id IS NOT NULL
       AND (${isAbsent} OR (SELECT count(*) FROM team_members m
                             WHERE m.team_id = t.id AND m.user_id IS NOT NULL AND NOT m.is_substitute) < ${size})
     ORDER BY t.id LIMIT ${limit}`.execute(tx)
  return rows
}
