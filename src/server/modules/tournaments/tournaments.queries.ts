import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { OperatorTeam, OperatorTournamentRow } from '#contract/operator/tournaments.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import type { Place } from './bracket.rules.ts'

/** The newest; older ones are found at their own addresses. */
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

const tournaments = (which: RawBuilder<unknown>) => sql<TournamentRow>`
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

/** Locks a tournament for one act; everything of it is changed under this lock. */
export async function lockTournament(tx: Tx, id: string): Promise<TournamentRow | undefined> {
  const locked = await tx
    .selectFrom('tournaments')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return locked && findTournament(tx, locked.id)
}

/** Later than the last one by a millisecond at least, which is as exact as clients get it. */
const NOW = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')`

type Change = Partial<
  Pick<
    Insertable<DB['tournaments']>,
    | 'name'
    | 'registration_start_at'
    | 'competition_start_at'
    | 'mode'
    | 'fee'
    | 'type'
    | 'min_level'
    | 'max_level'
    | 'max_round'
    | 'allowed_classes'
    | 'prize'
    | 'how_to_register'
    | 'current_round'
    | 'cancelled_at'
    | 'draw_seed'
    | 'winning_team_id'
  >
>

/** Also without a change of its own: something that belongs to it has changed. */
export async function updateTournament(tx: Tx, id: string, change: Change = {}): Promise<void> {
  await tx
    .updateTable('tournaments')
    .set({ ...change, updated_at: NOW })
    .where('id', '=', id)
    .execute()
}

type ListFilter = {
  id?: string[] | undefined
  q?: string | undefined
  phase?: OperatorTournamentRow['phase'] | undefined
}

/** As `tournamentPhase` of the contract decides it. */
const phaseAt = (now: Date) => sql`CASE
  WHEN t.cancelled_at IS NOT NULL THEN 'cancelled'
  WHEN t.winning_team_id IS NOT NULL THEN 'finished'
  WHEN t.current_round > 0 THEN 'running'
  WHEN t.competition_start_at <= ${now} THEN 'drawing'
  WHEN t.registration_start_at <= ${now} THEN 'registering'
  ELSE 'announced' END`

const matching = ({ id, q, phase }: ListFilter, now: Date) =>
  allOf([
    id === undefined ? null : sql`t.id = ANY(${id}::bigint[])`,
    q === undefined ? null : sql`strpos(lower(t.name), lower(${q})) > 0`,
    phase === undefined ? null : sql`${phaseAt(now)} = ${phase}`,
  ])

/** Tournaments are few: some a month. */
export async function listTournamentPage(
  db: Db,
  filter: ListFilter,
  { sort, order, from, to, now }: ListPage & { sort: string; now: Date },
): Promise<TournamentRow[]> {
  const direction = sql.raw(order)
  const page = tournaments(sql`WHERE ${matching(filter, now)}
    ORDER BY ${sql.ref(`t.${sort}`)} ${direction}, t.id ${direction} LIMIT ${to - from + 1} OFFSET ${from}`)
  return (await page.execute(db)).rows
}

export async function countTournaments(db: Db, filter: ListFilter, now: Date): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM tournaments t WHERE ${matching(filter, now)}`.execute(db)
  return Number(rows[0]?.count)
}

/** In the order in which they registered. */
export async function listTeams(db: Db | Tx, tournamentId: string): Promise<OperatorTeam[]> {
  const { rows } = await sql<OperatorTeam>`
    SELECT teams.id, teams.name,
           coalesce(array_agg(m.character_name ORDER BY m.position) FILTER (WHERE m.team_id IS NOT NULL), '{}') AS members
      FROM teams LEFT JOIN team_members m ON m.team_id = teams.id
     WHERE teams.tournament_id = ${tournamentId}::bigint
     GROUP BY teams.id ORDER BY teams.id`.execute(db)
  return rows
}

type Given = { name: string; members: readonly string[] }

/** Of these names, whatever their capitals, those that another team has registered. */
export async function findTakenNames(
  tx: Tx,
  { tournamentId, teamId, names, members }: TakenNames,
): Promise<{ names: string[]; members: string[] }> {
  const lower = (all: readonly string[]) => sql`(SELECT lower(x) FROM unnest(${[...all]}::text[]) x)`
  const teams = await sql<{ name: string }>`
    SELECT name FROM teams WHERE tournament_id = ${tournamentId}::bigint AND id <> ${teamId}::bigint
       AND lower(name) IN ${lower(names)}`.execute(tx)
  const characters = await sql<{ character_name: string }>`
    SELECT character_name FROM team_members WHERE tournament_id = ${tournamentId}::bigint
       AND team_id <> ${teamId}::bigint AND lower(character_name) IN ${lower(members)}`.execute(tx)
  return {
    names: teams.rows.map(({ name }) => name),
    members: characters.rows.map(({ character_name }) => character_name),
  }
}

type TakenNames = {
  tournamentId: string
  /** The team whose own names do not count; 0 for a new one. */
  teamId: string
  names: readonly string[]
  members: readonly string[]
}

export async function insertMembers(
  tx: Tx,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  members: readonly string[],
): Promise<void> {
  const rows = members.map((character_name, index) => ({
    tournament_id: tournamentId,
    team_id: teamId,
    position: index + 1,
    character_name,
  }))
  await tx.insertInto('team_members').values(rows).execute()
}

export async function replaceTeam(
  tx: Tx,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  { name, members }: Given,
): Promise<void> {
  await tx.updateTable('teams').set({ name }).where('id', '=', teamId).execute()
  await tx.deleteFrom('team_members').where('team_id', '=', teamId).execute()
  await insertMembers(tx, { tournamentId, teamId }, members)
}

export async function deleteTeam(tx: Tx, teamId: string): Promise<void> {
  await tx.deleteFrom('teams').where('id', '=', teamId).execute()
}

/** Puts a team on one side of a later match; null takes it away. */
export async function updateSide(
  tx: Tx,
  tournamentId: string,
  { round, position, side, teamId }: Place & { side: 1 | 2; teamId: string | null },
): Promise<void> {
  await tx
    .updateTable('matches')
    .set({ [side === 1 ? 'team1_id' : 'team2_id']: teamId, updated_at: NOW })
    .where('tournament_id', '=', tournamentId)
    .where('round', '=', round)
    .where('position', '=', position)
    .execute()
}

type StoredResult = {
  team1_win_count: number
  team2_win_count: number
  absent_side: 1 | 2 | null
  winning_team_id: string | null
}

export async function updateResult(tx: Tx, matchId: string, result: StoredResult): Promise<void> {
  await tx
    .updateTable('matches')
    .set({ ...result, updated_at: NOW })
    .where('id', '=', matchId)
    .execute()
}

const namesOf = ({ characters }: Person) => characters.map(({ name }) => name.toLowerCase())

export const exportTeams = onOnePage(async (db, person) => {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT t.name AS tournament, team.name AS team, m.character_name
      FROM team_members m
      JOIN teams team ON team.id = m.team_id
      JOIN tournaments t ON t.id = m.tournament_id
     WHERE lower(m.character_name) = ANY(${namesOf(person)}::text[]) ORDER BY m.tournament_id`.execute(db)
  return rows
})

/** A team that is named as the character, as in single duels, loses that name too. */
export async function eraseMemberships(tx: Tx, person: Person): Promise<void> {
  const names = namesOf(person)
  if (names.length === 0) return
  await sql`
    UPDATE teams SET name = ${person.alias}::text || '-' || id
     WHERE lower(name) = ANY(${names}::text[]) AND id IN (
       SELECT team_id FROM team_members WHERE lower(character_name) = ANY(${names}::text[]))`.execute(tx)
  await sql`
    UPDATE team_members SET character_name = ${person.alias}::text || '-' || team_id || '-' || position
     WHERE lower(character_name) = ANY(${names}::text[])`.execute(tx)
  await contentChanges(tx, 'tournaments')
}
