import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { phaseAt } from '../tournaments.queries.ts'

/** Whose results: a player's own, or those of every character with this name. */
export type Whose = { userId: string } | { name: string }

export type ResultRow = {
  tournament_id: string
  tournament_name: string
  type: number
  competition_start_at: Date
  max_round: number
  /** How many matches its first round has. */
  first_round: string
  team_id: string
  team_name: string
  character_name: string
  server_name: string | null
  round: number
  winning_team_id: string | null
  is_void: boolean
  won: string
  lost: string
}

/** Before the whole draw is public nobody is told where a team plays. */
const played = (whose: Whose, now: Date): RawBuilder<unknown> => sql`
  FROM team_members m
  JOIN teams team ON team.id = m.team_id AND team.state = 'admitted'
  JOIN tournaments t ON t.id = m.tournament_id
 WHERE ${'userId' in whose ? sql`m.user_id = ${whose.userId}::bigint` : sql`lower(m.character_name) = lower(${whose.name})`}
   AND ${phaseAt(now)} IN ('running', 'finished')
   AND EXISTS (SELECT FROM matches x WHERE x.tournament_id = t.id AND x.team1_id = team.id
               UNION ALL SELECT FROM matches x WHERE x.tournament_id = t.id AND x.team2_id = team.id)`

export async function countResults(db: Db, whose: Whose, now: Date): Promise<number> {
  const { rows } = await sql<{ count: string }>`SELECT count(*) AS count ${played(whose, now)}`.execute(db)
  return Number(rows[0]?.count)
}

type ResultPage = { limit: number; offset: number; now: Date }

export async function listResults(
  db: Db,
  whose: Whose,
  { limit, offset, now }: ResultPage,
): Promise<ResultRow[]> {
  const { rows } = await sql<ResultRow>`
    WITH page AS (
      SELECT t.id AS tournament_id, t.name AS tournament_name, t.type, t.competition_start_at, t.max_round,
             team.id AS team_id, team.name AS team_name, m.character_name, m.server_id
        ${played(whose, now)}
       ORDER BY t.competition_start_at DESC, t.id DESC, team.id LIMIT ${limit} OFFSET ${offset})
    SELECT page.*, s.name AS server_name, last.*,
           (SELECT count(*) FROM matches f WHERE f.tournament_id = page.tournament_id AND f.round = 1) AS first_round
      FROM page
      LEFT JOIN servers s ON s.id = page.server_id
      CROSS JOIN LATERAL (
        SELECT x.round, x.winning_team_id, x.is_void,
               count(*) FILTER (WHERE x.winning_team_id = page.team_id AND ${bothThere}) OVER () AS won,
               count(*) FILTER (WHERE x.winning_team_id <> page.team_id AND ${bothThere}) OVER () AS lost
          FROM matches x
         WHERE x.tournament_id = page.tournament_id
           AND (x.team1_id = page.team_id OR x.team2_id = page.team_id)
         ORDER BY x.round DESC LIMIT 1) AS last
     ORDER BY page.competition_start_at DESC, page.tournament_id DESC, page.team_id`.execute(db)
  return rows
}

/** Where the other side is nobody, nobody has played. */
const bothThere = sql`x.team1_id IS NOT NULL AND x.team2_id IS NOT NULL`
