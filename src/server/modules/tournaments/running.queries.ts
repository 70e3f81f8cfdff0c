import { sql, type Insertable } from 'kysely'
import type { OperatorTeam, OperatorTournamentRow } from '#contract/operator/tournaments.ts'
import { allOf } from '#server/platform/db/list.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import type { Place } from './bracket.rules.ts'
import { findTournament, tournaments, type TournamentRow } from './tournaments.queries.ts'

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

/** Later than the last one by a millisecond at least, which is how exactly clients see it. */
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

/** Of these names, in any spelling of capitals, those that another team has registered. */
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
