import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { onOnePage } from '#server/domain/personal-part.ts'
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
    SELECT m.user_id AS "userId" FROM team_members m JOIN teams t ON t.id = m.team_id AND t.state <> 'withdrawn'
     WHERE m.tournament_id = ${tournamentId}::bigint AND m.user_id IS NOT NULL ORDER BY m.user_id`.execute(tx)
  return rows.map(({ userId }) => userId)
}

export async function isFollowing(
  db: Db,
  { tournamentId, userId }: { tournamentId: string; userId: string },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM tournament_follower
     WHERE tournament_id = ${tournamentId}::bigint AND user_id = ${userId}::bigint`.execute(db)
  return rows.length === 1
}

export async function insertFollower(db: Db, tournamentId: string, userId: string): Promise<void> {
  await sql`
    INSERT INTO tournament_follower (tournament_id, user_id)
    VALUES (${tournamentId}::bigint, ${userId}::bigint) ON CONFLICT DO NOTHING`.execute(db)
}

/** One who was told stays, so that the reminder does not come again. */
export async function deleteFollower(db: Db, tournamentId: string, userId: string): Promise<void> {
  await sql`
    DELETE FROM tournament_follower
     WHERE tournament_id = ${tournamentId}::bigint AND user_id = ${userId}::bigint AND told_at IS NULL`.execute(
    db,
  )
}

/** Tournaments that have begun no longer than a day ago and have followers who were not told. */
export async function listBegun(db: Db, now: Date, limit: number): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM tournaments t
     WHERE cancelled_at IS NULL AND finished_at IS NULL AND paused_at IS NULL
       AND competition_start_at > ${now}::timestamptz - interval '1 day'
       AND (competition_start_at <= ${now}::timestamptz OR current_round > 0)
       AND EXISTS (SELECT FROM tournament_follower f WHERE f.tournament_id = t.id AND f.told_at IS NULL)
     ORDER BY competition_start_at LIMIT ${limit}`.execute(db)
  return rows
}

/** Followers whom nobody has told yet; they are from now on. */
export async function claimFollowers(tx: Tx, tournamentId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    WITH waiting AS (
      SELECT user_id FROM tournament_follower
       WHERE tournament_id = ${tournamentId}::bigint AND told_at IS NULL
       ORDER BY user_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE tournament_follower f SET told_at = clock_timestamp() FROM waiting
     WHERE f.tournament_id = ${tournamentId}::bigint AND f.user_id = waiting.user_id
    RETURNING f.user_id AS "userId"`.execute(tx)
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

/** Whether check-in is still open, under the tournament's lock: it may have been closed or cancelled meanwhile. */
export async function isCheckInOpen(tx: Tx, tournamentId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM tournaments
     WHERE id = ${tournamentId}::bigint AND current_round = 0 AND closed_at IS NULL AND cancelled_at IS NULL
       AND competition_start_at > ${now} FOR SHARE`.execute(tx)
  return rows.length === 1
}

/** The same of a tournament that has begun. */
export async function hasBegun(tx: Tx, tournamentId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM tournaments
     WHERE id = ${tournamentId}::bigint AND cancelled_at IS NULL AND finished_at IS NULL AND paused_at IS NULL
       FOR SHARE`.execute(tx)
  return rows.length === 1
}

export type Reminded = { userId: string; isWaiting: boolean }

/** Players of teams that have not checked in, whom nobody has reminded yet; they are from now on. */
export async function claimReminders(tx: Tx, tournamentId: string, limit: number): Promise<Reminded[]> {
  const { rows } = await sql<Reminded>`
    WITH reminded AS (
    INSERT INTO tournament_reminder (tournament_id, user_id)
    SELECT m.tournament_id, m.user_id
      FROM team_members m JOIN teams t ON t.id = m.team_id JOIN users u ON u.id = m.user_id
     WHERE m.tournament_id = ${tournamentId}::bigint AND u.erased_at IS NULL
       AND t.state IN ('held', 'admitted', 'waiting') AND t.checked_in_at IS NULL
       AND NOT EXISTS (SELECT FROM tournament_reminder r
                        WHERE r.tournament_id = m.tournament_id AND r.user_id = m.user_id)
     ORDER BY m.user_id LIMIT ${limit}
    ON CONFLICT DO NOTHING
    RETURNING tournament_id, user_id)
    SELECT r.user_id AS "userId", t.state = 'waiting' AS "isWaiting"
      FROM reminded r
      JOIN team_members m ON m.tournament_id = r.tournament_id AND m.user_id = r.user_id
      JOIN teams t ON t.id = m.team_id`.execute(tx)
  return rows
}

export const exportFollowed = onOnePage(
  ({ id }) => sql`
    SELECT tournament_id, created_at, told_at FROM tournament_follower
     WHERE user_id = ${id}::bigint ORDER BY tournament_id`,
)
