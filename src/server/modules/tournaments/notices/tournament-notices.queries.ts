import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { onOnePage } from '#server/domain/personal-part.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

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

/** A player who is to be told of a tournament. */
const placeOf = (tournamentId: string, userId: string) =>
  sql<string>`(${sql.ref(tournamentId)} || ':' || ${sql.ref(userId)})`

/** Followers whom nobody has told that their tournament has begun, of those that began no longer than a day ago. */
export async function listUntold(
  db: Db,
  isResting: IsResting,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const place = placeOf('f.tournament_id', 'f.user_id')
  const { rows } = await sql<{ id: string }>`
    SELECT ${place} AS id FROM tournaments t JOIN tournament_follower f ON f.tournament_id = t.id AND f.told_at IS NULL
     WHERE t.cancelled_at IS NULL AND t.finished_at IS NULL AND t.paused_at IS NULL
       AND t.competition_start_at > ${now}::timestamptz - interval '1 day'
       AND (t.competition_start_at <= ${now}::timestamptz OR t.current_round > 0) AND NOT ${isResting(place)}
     ORDER BY t.competition_start_at, t.id, f.user_id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of these followers whom nobody has told yet; they are from now on. */
export async function claimFollowers(
  tx: Tx,
  tournamentId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    WITH waiting AS (
      SELECT user_id FROM tournament_follower
       WHERE tournament_id = ${tournamentId}::bigint AND user_id = ANY (${[...userIds]}::bigint[]) AND told_at IS NULL
       ORDER BY user_id FOR UPDATE SKIP LOCKED)
    UPDATE tournament_follower f SET told_at = clock_timestamp() FROM waiting
     WHERE f.tournament_id = ${tournamentId}::bigint AND f.user_id = waiting.user_id
    RETURNING f.user_id AS "userId"`.execute(tx)
  return rows.map(({ userId }) => userId)
}

/** Who plays for a team that has not checked in and was not reminded of it. */
const unreminded = sql`
  FROM team_members m JOIN teams t ON t.id = m.team_id JOIN users u ON u.id = m.user_id
 WHERE u.erased_at IS NULL AND t.state IN ('held', 'admitted', 'waiting') AND t.checked_in_at IS NULL
   AND NOT EXISTS (SELECT FROM tournament_reminder r
                    WHERE r.tournament_id = m.tournament_id AND r.user_id = m.user_id)`

export type Reminded = { userId: string; isWaiting: boolean }

/** Those of these players whom nobody has reminded yet; they are from now on. */
export async function claimReminders(
  tx: Tx,
  tournamentId: string,
  userIds: readonly string[],
): Promise<Reminded[]> {
  const { rows } = await sql<Reminded>`
    WITH reminded AS (
    INSERT INTO tournament_reminder (tournament_id, user_id)
    SELECT m.tournament_id, m.user_id ${unreminded}
       AND m.tournament_id = ${tournamentId}::bigint AND m.user_id = ANY (${[...userIds]}::bigint[])
     ORDER BY m.user_id
    ON CONFLICT DO NOTHING
    RETURNING tournament_id, user_id)
    SELECT r.user_id AS "userId", t.state = 'waiting' AS "isWaiting"
      FROM reminded r
      JOIN team_members m ON m.tournament_id = r.tournament_id AND m.user_id = r.user_id
      JOIN teams t ON t.id = m.team_id`.execute(tx)
  return rows
}

/** Players whom nobody has reminded of their check-in, which is open. */
export async function listUnreminded(
  db: Db,
  isResting: IsResting,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const place = placeOf('m.tournament_id', 'm.user_id')
  const { rows } = await sql<{ id: string }>`
    SELECT player.id FROM tournaments cup
     CROSS JOIN LATERAL (
       SELECT ${place} AS id, m.user_id ${unreminded} AND m.tournament_id = cup.id AND NOT ${isResting(place)}) player
     WHERE cup.check_in_minutes > 0 AND cup.current_round = 0
       AND cup.closed_at IS NULL AND cup.cancelled_at IS NULL AND cup.finished_at IS NULL
       AND cup.competition_start_at > ${now}
       AND cup.competition_start_at <= ${now}::timestamptz + make_interval(mins => cup.check_in_minutes)
       AND (cup.opened_at IS NOT NULL OR cup.registration_start_at <= ${now})
     ORDER BY cup.competition_start_at, cup.id, player.user_id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export type CheckIn = { id: string; name: string; startsAt: Date }

/** A tournament whose check-in is still open, locked: it may have been closed or cancelled meanwhile. */
export async function lockOpenCheckIn(tx: Tx, tournamentId: string, now: Date): Promise<CheckIn | undefined> {
  const { rows } = await sql<CheckIn>`
    SELECT id, name, competition_start_at AS "startsAt" FROM tournaments
     WHERE id = ${tournamentId}::bigint AND current_round = 0 AND closed_at IS NULL AND cancelled_at IS NULL
       AND competition_start_at > ${now} FOR SHARE`.execute(tx)
  return rows[0]
}

/** The same of a tournament that has begun. */
export async function lockBegun(
  tx: Tx,
  tournamentId: string,
): Promise<Omit<CheckIn, 'startsAt'> | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM tournaments
     WHERE id = ${tournamentId}::bigint AND cancelled_at IS NULL AND finished_at IS NULL AND paused_at IS NULL
       FOR SHARE`.execute(tx)
  return rows[0]
}

export const exportFollowed = onOnePage(
  ({ id }) => sql`
    SELECT tournament_id, created_at, told_at FROM tournament_follower
     WHERE user_id = ${id}::bigint ORDER BY tournament_id`,
)
