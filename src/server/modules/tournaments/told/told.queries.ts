import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** The players of these teams, by team; members that an operator has entered are no players. */
export async function listPlayersOf(
  tx: Tx,
  teamIds: readonly string[],
): Promise<{ teamId: string; userId: string }[]> {
  const { rows } = await sql<{ teamId: string; userId: string }>`
    SELECT team_id AS "teamId", user_id AS "userId" FROM team_members
     WHERE team_id = ANY(${[...teamIds]}::bigint[]) AND user_id IS NOT NULL ORDER BY user_id`.execute(tx)
  return rows
}

/** All who play for a team that is not out. */
export async function listPlayers(tx: Tx, tournamentId: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    SELECT user_id AS "userId" FROM team_members
     WHERE tournament_id = ${tournamentId}::bigint AND user_id IS NOT NULL ORDER BY user_id`.execute(tx)
  return rows.map(({ userId }) => userId)
}

export type CheckIn = { id: string; name: string; startsAt: Date }

/** Tournaments whose check-in is open; they are few. */
export async function listCheckIns(db: Db, now: Date, limit: number): Promise<CheckIn[]> {
  const { rows } = await sql<CheckIn>`
    SELECT id, name, competition_start_at AS "startsAt" FROM tournaments
     WHERE check_in_minutes > 0 AND current_round = 0
       AND closed_at IS NULL AND cancelled_at IS NULL AND finished_at IS NULL
       AND competition_start_at > ${now}
       AND competition_start_at <= ${now}::timestamptz + make_interval(mins => check_in_minutes)
       AND (opened_at IS NOT NULL OR registration_start_at <= ${now})
     ORDER BY competition_start_at LIMIT ${limit}`.execute(db)
  return rows
}

/** Players of teams that have not checked in, whom nobody has reminded yet; they are from now on. */
export async function claimReminders(tx: Tx, tournamentId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    INSERT INTO tournament_reminder (tournament_id, user_id)
    SELECT m.tournament_id, m.user_id
      FROM team_members m JOIN teams t ON t.id = m.team_id JOIN users u ON u.id = m.user_id
     WHERE m.tournament_id = ${tournamentId}::bigint AND u.erased_at IS NULL
       AND t.state IN ('held', 'admitted', 'waiting') AND t.checked_in_at IS NULL
       AND NOT EXISTS (SELECT FROM tournament_reminder r
                        WHERE r.tournament_id = m.tournament_id AND r.user_id = m.user_id)
     ORDER BY m.user_id LIMIT ${limit}
    ON CONFLICT DO NOTHING
    RETURNING user_id AS "userId"`.execute(tx)
  return rows.map(({ userId }) => userId)
}
