import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Chain } from '#contract/draw-proof.ts'
import type { OperatorTournamentRow } from '#contract/operator/tournaments.ts'
import { REVEAL_SECONDS } from '#contract/tournament-rules.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { patternsOfWords } from '#contract/search-form.ts'

/** The newest; older ones are found at their own addresses. */
const TOURNAMENTS_MAX = 50
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
  server_id: string | null
  substitutes: number
  fee_payer: 'captain' | 'member'
  check_in_minutes: number
  opened_at: Date | null
  closed_at: Date | null
  draw_commitment: string | null
  /** Null before the close, like the chain. */
  draw_round: string | null
  draw_chain: Chain | null
  drawn_at: Date | null
  /** Null before the draw. */
  drawn_count: number | null
  revealed: number
  reveal_from: Date | null
  paused_at: Date | null
  finished_at: Date | null
}

const tournaments = (which: RawBuilder<unknown>) => sql<TournamentRow>`
  SELECT t.id, t.name, t.registration_start_at, t.competition_start_at, t.mode, t.fee, t.type, t.min_level,
         t.max_level, t.max_round, t.current_round, t.allowed_classes, t.prize, t.how_to_register, t.cancelled_at,
         t.updated_at, t.draw_seed, t.server_id, t.substitutes, t.fee_payer, t.check_in_minutes, t.opened_at, t.closed_at,
         coalesce(d.list_digest, CASE WHEN t.drawn_at IS NOT NULL THEN t.draw_commitment END) AS draw_commitment,
         d.round AS draw_round, d.chain AS draw_chain, t.drawn_at, jsonb_array_length(t.drawn_list) AS drawn_count, t.revealed, t.reveal_from,
         t.paused_at, t.finished_at, w.name AS winner,
         (SELECT count(*) FROM teams
           WHERE teams.tournament_id = t.id AND teams.state IN ('held', 'admitted')) AS team_count
    FROM tournaments t
    LEFT JOIN teams w ON w.id = t.winning_team_id
    LEFT JOIN tournament_draw d ON d.tournament_id = t.id
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

export async function findTournamentOfName(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('tournaments').select('id').where('name', '=', name).executeTakeFirst()
  return row?.id
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
    | 'server_id'
    | 'substitutes'
    | 'fee_payer'
    | 'check_in_minutes'
    | 'opened_at'
    | 'closed_at'
    | 'drawn_at'
    | 'drawn_list'
    | 'revealed'
    | 'reveal_from'
    | 'paused_at'
    | 'finished_at'
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

const teamsLeft = sql`(jsonb_array_length(t.drawn_list) - t.revealed)`

const publicAt = sql`CASE
  WHEN t.mode = 1 THEN t.reveal_from
  WHEN ${teamsLeft} <= 0 THEN coalesce(t.reveal_from, t.drawn_at)
  ELSE t.reveal_from + (${teamsLeft} - 1) * make_interval(secs => ${REVEAL_SECONDS}) END`

type ListFilter = {
  id?: string[] | undefined
  q?: string | undefined
  phase?: OperatorTournamentRow['phase'] | undefined
}

/** As `tournamentPhase` and `drawPublicAt` of the contract decide it. */
export const phaseAt = (now: Date) => sql`CASE
  WHEN t.cancelled_at IS NOT NULL THEN 'cancelled'
  WHEN t.finished_at IS NOT NULL THEN 'finished'
  WHEN t.current_round > 0 AND t.drawn_at IS NULL THEN 'running'
  WHEN t.current_round > 0 THEN CASE WHEN ${publicAt} <= ${now} THEN 'running' ELSE 'drawing' END
  WHEN t.closed_at IS NOT NULL OR t.competition_start_at <= ${now} THEN 'drawing'
  WHEN t.opened_at IS NOT NULL OR t.registration_start_at <= ${now} THEN 'registering'
  ELSE 'announced' END`

const matching = ({ id, q, phase }: ListFilter, now: Date) =>
  allOf([
    id === undefined ? null : sql`t.id = ANY(${id}::bigint[])`,
    q === undefined ? null : sql`search_form(t.name) LIKE ALL (${patternsOfWords(q)}::text[])`,
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

export type NextMatch = {
  tournament_id: string
  tournament: string
  opponent: string | null
  is_called: boolean
}

/**
 * The match that a player's team has to play next, as a value of another statement: one that is called, else that of the
 * newest tournament. Nothing of a draw that is not public yet.
 */
export const selectNextMatch = (userId: RawBuilder<string>) => sql<NextMatch | null>`(
  SELECT json_build_object('tournament_id', t.id::text, 'tournament', t.name, 'is_called', m.called_at IS NOT NULL,
           'opponent', (SELECT other.name FROM teams other WHERE other.id = m.opponent_id))
    FROM team_members member
    JOIN teams team ON team.id = member.team_id AND team.state = 'admitted'
    JOIN tournaments t ON t.id = member.tournament_id
    JOIN LATERAL (
      SELECT a.round, a.called_at, a.team2_id AS opponent_id, a.winning_team_id, a.is_void
        FROM matches a WHERE a.tournament_id = t.id AND a.team1_id = member.team_id
      UNION ALL
      SELECT b.round, b.called_at, b.team1_id, b.winning_team_id, b.is_void
        FROM matches b WHERE b.tournament_id = t.id AND b.team2_id = member.team_id) m
      ON m.winning_team_id IS NULL AND NOT m.is_void
   WHERE member.user_id = ${userId} AND t.finished_at IS NULL AND t.cancelled_at IS NULL
     AND (t.drawn_at IS NULL OR ${publicAt} <= statement_timestamp())
   ORDER BY m.called_at, t.id DESC, m.round LIMIT 1)`
