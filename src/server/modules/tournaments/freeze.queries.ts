import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/transaction.ts'
import { type ListDue, listDueOf } from '#server/platform/queues/due-rows.ts'

/** Tournaments whose registration has come to its end, and whose list is not closed yet. */
export const listToClose = (now: Date): ListDue =>
  listDueOf({
    id: 'tournaments.id',
    from: sql`tournaments`,
    isDue: sql<boolean>`cancelled_at IS NULL AND finished_at IS NULL AND current_round = 0
       AND (closed_at IS NOT NULL OR competition_start_at <= ${now})
       AND NOT EXISTS (SELECT FROM tournament_draw d WHERE d.tournament_id = tournaments.id)`,
    order: sql`competition_start_at`,
  })

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
