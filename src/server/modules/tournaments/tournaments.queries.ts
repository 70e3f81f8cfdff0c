import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** The newest; older ones keep their own addresses. */
const TOURNAMENTS_MAX = 50
/** More than the largest bracket has (2^12 teams); a bound, not a page. */
const MATCHES_MAX = 8_192

export type TournamentRow = {
  id: string
  name: string
  registration_start_at: Date
  competition_start_at: Date
  mode: number
  fee: string
  type: number
  min_level: number
  max_level: number
  max_round: number
  current_round: number
  allowed_classes: number[]
  prize: string
  how_to_register: string
  team_count: string
  winner: string | null
  cancelled_at: Date | null
  updated_at: Date
  draw_seed: string | null
}

export const tournaments = (which: RawBuilder<unknown>) => sql<TournamentRow>`
  SELECT t.id, t.name, t.registration_start_at, t.competition_start_at, t.mode, t.fee, t.type, t.min_level,
         t.max_level, t.max_round, t.current_round, t.allowed_classes, t.prize, t.how_to_register, t.cancelled_at, t.updated_at, t.draw_seed,
         w.name AS winner,
         (SELECT count(*) FROM teams WHERE teams.tournament_id = t.id) AS team_count
    FROM tournaments t
    LEFT JOIN teams w ON w.id = t.winning_team_id
    ${which}`

const newestFirst = sql`ORDER BY t.competition_start_at DESC, t.id DESC LIMIT ${TOURNAMENTS_MAX}`

export async function listTournamentRows(db: Db): Promise<TournamentRow[]> {
  return (await tournaments(newestFirst).execute(db)).rows
}

export async function listTournamentIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT t.id FROM tournaments t ${newestFirst}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findTournamentName(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM tournaments WHERE id = ${id}::bigint`.execute(
    db,
  )
  return rows[0]?.name
}

export async function findTournament(db: Db | Tx, id: string): Promise<TournamentRow | undefined> {
  return (await tournaments(sql`WHERE t.id = ${id}::bigint`).execute(db)).rows[0]
}

export type MatchRow = {
  id: string
  round: number
  position: number
  team1_id: string | null
  team2_id: string | null
  team1_name: string | null
  team2_name: string | null
  team1_win_count: number
  team2_win_count: number
  winning_team_id: string | null
  absent_side: number | null
  updated_at: Date
}

export async function listMatchRows(db: Db | Tx, tournamentId: string): Promise<MatchRow[]> {
  return db
    .selectFrom('matches')
    .leftJoin('teams as one', 'one.id', 'matches.team1_id')
    .leftJoin('teams as two', 'two.id', 'matches.team2_id')
    .select([
      'matches.id',
      'round',
      'position',
      'team1_id',
      'team2_id',
      'one.name as team1_name',
      'two.name as team2_name',
      'team1_win_count',
      'team2_win_count',
      'winning_team_id',
      'absent_side',
      'matches.updated_at',
    ])
    .where('matches.tournament_id', '=', tournamentId)
    .orderBy('round')
    .orderBy('position')
    .limit(MATCHES_MAX)
    .execute()
}

export type NewTournament = Insertable<DB['tournaments']>

export async function insertTournament(tx: Tx, tournament: NewTournament): Promise<string> {
  const { id } = await tx
    .insertInto('tournaments')
    .values(tournament)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns their ids in the order of the names. */
export async function insertTeams(tx: Tx, tournamentId: string, names: readonly string[]): Promise<string[]> {
  const rows = await tx
    .insertInto('teams')
    .values(names.map((name) => ({ tournament_id: tournamentId, name })))
    .returning(['id', 'name'])
    .execute()
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  return names.map((name) => ids.get(name) as string)
}

export async function insertMatches(tx: Tx, matches: readonly Insertable<DB['matches']>[]): Promise<void> {
  await tx.insertInto('matches').values(matches).execute()
}

export async function updateWinner(tx: Tx, tournamentId: string, teamId: string): Promise<void> {
  await tx
    .updateTable('tournaments')
    .set({ winning_team_id: teamId })
    .where('id', '=', tournamentId)
    .execute()
}
