import type { BodyOf, QueryOf } from '#contract/endpoint.ts'
import type { OperatorAct } from '#contract/operator/act-guards.ts'
import type {
  OperatorMatch,
  OperatorTournament,
  OperatorTournamentRow,
  operatorTournaments,
} from '#contract/operator/tournaments.ts'
import { maxTeams, teamSize, tournamentPhase } from '#contract/tournament-rules.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { contentChanges } from '#server/domain/content.ts'
import { type GameNames, readGameNames } from '#server/domain/game-names.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound, invariant } from '#server/platform/values/errors.ts'
import {
  datesReversed,
  frozen,
  isOver,
  levelsReversed,
  tooLargeTeam,
  tooManyTeams,
  changedMeanwhile,
} from './tournaments.errors.ts'
import {
  countTournaments,
  listTeams,
  listTournamentPage,
  updateTournament,
  insertTournament,
  listMatchRows,
  type MatchRow,
  lockTournament,
  findTournament,
  type TournamentRow,
} from './tournaments.queries.ts'
import { requireTournament, toMatch, toTournament } from './tournaments.service.ts'

type Filter = NonNullable<QueryOf<typeof operatorTournaments.list>['filter']>

export async function listOperatorTournaments(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  filter: Filter,
  page: ListPage & { sort: string },
): Promise<ListRows<OperatorTournamentRow>> {
  const now = clock.now()
  const rows = await listTournamentPage(db, filter, { ...page, now })
  const names = await readGameNames(db)
  return {
    rows: rows.map((row) => toOperatorRow(row, { names, now })),
    total: () => countTournaments(db, filter, now),
  }
}

export const toOperatorMatch = (row: MatchRow): OperatorMatch => ({
  ...toMatch(row),
  absent_side: row.absent_side as 1 | 2 | null,
  updated_at: row.updated_at.toISOString(),
})

export async function getOperatorTournament(db: Db, id: string, now: Date): Promise<OperatorTournament> {
  const row = await requireTournament(db, id)
  return {
    ...toOperatorRow(row, { names: await readGameNames(db), now }),
    draw_seed: row.draw_seed,
    teams: await listTeams(db, id),
    matches: (await listMatchRows(db, id)).map(toOperatorMatch),
  }
}

type Given = Omit<BodyOf<typeof operatorTournaments.create>, 'reason'>
type Fields = Required<Given>
type Texts = Pick<Fields, 'prize' | 'how_to_register'>

const NO_TEXTS: Texts = { prize: '', how_to_register: '' }

/** What an operator may set, as it is stored and audited; texts that are not given stay as they were. */
function fieldsOf(given: Given, before: Texts): Fields {
  const { name, mode, fee, type, min_level, max_level, max_round } = given
  const unchanged = { name, mode, fee, type, min_level, max_level, max_round }
  const moment = (text: string) => new Date(text).toISOString()
  return {
    ...unchanged,
    registration_start_at: moment(given.registration_start_at),
    competition_start_at: moment(given.competition_start_at),
    prize: given.prize ?? before.prize,
    how_to_register: given.how_to_register ?? before.how_to_register,
    allowed_classes: [...new Set(given.allowed_classes)].sort((a, b) => a - b),
  }
}

function assertSound({ registration_start_at, competition_start_at, min_level, max_level }: Fields): void {
  if (registration_start_at >= competition_start_at) throw datesReversed()
  if (min_level > max_level) throw levelsReversed()
}

export async function createTournament(
  deps: PlatformDeps,
  call: UserCall<typeof operatorTournaments.create>,
): Promise<OperatorTournamentRow> {
  const fields = fieldsOf(call.body, NO_TEXTS)
  assertSound(fields)
  return actAsOperator(deps, call, {
    action: 'tournaments.create',
    async work(tx) {
      const id = await insertTournament(tx, fields)
      await contentChanges(tx, 'tournaments')
      const details = { before: null, after: fields }
      return {
        answer: await readRow(tx, id, deps.clock.now()),
        audit: { subject: { type: 'tournament', id }, details },
      }
    },
  })
}

/** What the draw was made by. */
const FROZEN_BY_DRAW = ['registration_start_at', 'competition_start_at', 'mode', 'type', 'max_round'] as const

export async function changeTournament(
  deps: PlatformDeps,
  call: UserCall<typeof operatorTournaments.update>,
): Promise<OperatorTournamentRow> {
  return actOnTournament(deps, call, 'update', async (tx, tournament) => {
    const after = fieldsOf(call.body, tournament)
    assertSound(after)
    const { id, phase, team_count } = tournament
    if (phase === 'finished' || phase === 'cancelled') throw isOver(phase)
    const before = fieldsOf(tournament, tournament)
    const changed = FROZEN_BY_DRAW.find((field) => before[field] !== after[field])
    if (phase === 'running' && changed !== undefined) throw frozen(changed)
    if (team_count > (maxTeams(after.max_round) ?? team_count)) throw tooManyTeams(team_count)
    if (after.type !== before.type) {
      const teams = await listTeams(tx, id)
      const tooLarge = teams.find(({ members }) => members.length > teamSize(after.type))
      if (tooLarge) throw tooLargeTeam(tooLarge.name)
    }
    await updateTournament(tx, id, after)
    return { before, after }
  })
}

export const cancelTournament = (
  deps: PlatformDeps,
  call: UserCall<typeof operatorTournaments.cancel>,
): Promise<OperatorTournamentRow> =>
  actOnTournament(deps, call, 'cancel', async (tx, { id, phase }) => {
    if (phase === 'finished' || phase === 'cancelled') throw isOver(phase)
    await updateTournament(tx, id, { cancelled_at: deps.clock.now() })
    return { before: { phase }, after: { phase: 'cancelled' } }
  })

type ActOf<Name> = Name extends `tournaments.${infer Act}` ? Act : never

type TournamentAct = ActOf<OperatorAct>

type ActCall = Pick<UserCall<never>, 'identity' | 'key' | 'overLimit' | 'request'> & {
  params: { id: string }
  body: { reason: string; updated_at?: string }
}

/** `personal` names who plays. */
type Details = { before: unknown; after: unknown; personal?: Record<string, unknown> }

function toOperatorRow(
  row: TournamentRow,
  { names, now }: { names: GameNames; now: Date },
): OperatorTournamentRow {
  const tournament = toTournament(row, names)
  return {
    ...tournament,
    phase: tournamentPhase(tournament, now),
    updated_at: row.updated_at.toISOString(),
  }
}

async function readRow(tx: Tx, id: string, now: Date): Promise<OperatorTournamentRow> {
  const row = await findTournament(tx, id)
  invariant(row, 'a tournament is never deleted')
  return toOperatorRow(row, { names: await readGameNames(tx), now })
}

/**
 * One act on one tournament, in one transaction under its lock, with its row in the audit trail. An act with an
 * `updated_at` is refused when the tournament has changed since.
 */
export async function actOnTournament(
  deps: PlatformDeps,
  call: ActCall,
  act: TournamentAct,
  work: (tx: Tx, tournament: OperatorTournamentRow) => Promise<Details>,
): Promise<OperatorTournamentRow> {
  const now = deps.clock.now()
  return actAsOperator(deps, call, {
    action: `tournaments.${act}`,
    async work(tx) {
      const { id } = call.params
      const locked = await lockTournament(tx, id)
      if (locked === undefined) throw notFound()
      const tournament = toOperatorRow(locked, { names: await readGameNames(tx), now })
      const { updated_at } = call.body
      if (updated_at !== undefined && updated_at !== tournament.updated_at) throw changedMeanwhile(tournament)
      const { personal, ...details } = await work(tx, tournament)
      await updateTournament(tx, id)
      await contentChanges(tx, 'tournaments')
      return {
        answer: await readRow(tx, id, now),
        audit: { subject: { type: 'tournament', id }, details, ...(personal && { personal }) },
      }
    },
  })
}
