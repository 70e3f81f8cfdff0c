import type { BodyOf, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { OperatorAct } from '#contract/operator/act-guards.ts'
import type {
  DeskAnswer,
  OperatorMatch,
  OperatorTournament,
  OperatorTournamentRow,
  operatorTournaments,
} from '#contract/operator/tournaments.ts'
import { tournamentPhase } from '#contract/tournament-phase.ts'
import { isListBeingClosed, maxTeams, revealedTeams, teamSize } from '#contract/tournament-rules.ts'
import { actAsOperator, actAsSystem } from '#server/modules/audit/index.ts'
import { listServerIds } from '#server/modules/servers/index.ts'
import { contentChanges } from '#server/domain/content.ts'
import { type GameNames, readGameNames } from '#server/domain/game-names.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { orNotFound, invariant } from '#server/platform/values/errors.ts'
import {
  datesReversed,
  feeIsFixed,
  frozen,
  frozenByClose,
  isOver,
  levelsReversed,
  tooLargeTeam,
  tooManyTeams,
  unknownServer,
  changedMeanwhile,
} from './tournaments.errors.ts'
import { countToReturn } from './charges.queries.ts'
import { type Before, findLastAct, type UndoableEvent } from './events.queries.ts'
import { recordEvent } from './events.service.ts'
import { listMatchRows, type MatchRow } from './matches.queries.ts'
import { hasTeamsOfPlayers, listTeams, listTeamsAndFees, listWithdrawnTeams } from './teams.queries.ts'
import { beginCancelling } from './follow-up.service.ts'
import { promoteWaiting } from './places.service.ts'
import { notifyOfMatches } from './notices/tournament-notices.service.ts'
import {
  countTournaments,
  listTournamentPage,
  updateTournament,
  insertTournament,
  lockTournament,
  findTournament,
  type TournamentRow,
} from './tournaments.queries.ts'
import { requireTournament, revealOf, toMatch, toTournament } from './tournaments.service.ts'

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
  updated_at: row.updated_at.toISOString(),
})

export async function getOperatorTournament(db: Db, id: string, now: Date): Promise<OperatorTournament> {
  const row = await requireTournament(db, id)
  const last = await findLastAct(db, id)
  return {
    ...toOperatorRow(row, { names: await readGameNames(db), now }),
    draw_seed: row.draw_seed,
    revealed: row.drawn_at === null ? 0 : revealedTeams(revealOf(row), now),
    undoable: last === undefined ? null : undoableOf(last),
    teams: await listTeamsAndFees(db, id),
    withdrawn: await listWithdrawnTeams(db, id),
    matches: (await listMatchRows(db, id)).map(toOperatorMatch),
    fees_to_return: await countToReturn(db, id),
  }
}

/** The match that was acted on is the first: those that follow from it are of later rounds. */
const undoableOf = ({ number, kind, before }: UndoableEvent) => ({
  number,
  kind,
  match_id: kind === 'resume' ? null : (before.matches[0]?.id ?? null),
})

type Given = Omit<BodyOf<typeof operatorTournaments.create>, 'reason'>
type Fields = Required<Given>
type Optional = Pick<
  Fields,
  'prize' | 'how_to_register' | 'server_id' | 'substitutes' | 'fee_payer' | 'check_in_minutes'
>

const CHECK_IN_MINUTES = 30

const DEFAULTS: Optional = {
  prize: '',
  how_to_register: '',
  server_id: null,
  substitutes: 0,
  fee_payer: 'captain',
  check_in_minutes: CHECK_IN_MINUTES,
}

/** What an operator may set, as it is stored and audited; what is not given stays as it was. */
function fieldsOf(given: Given, before: Optional): Fields {
  const { name, mode, fee, type, min_level, max_level, max_round } = given
  const unchanged = { name, mode, fee, type, min_level, max_level, max_round }
  const moment = (text: string) => new Date(text).toISOString()
  return {
    ...unchanged,
    registration_start_at: moment(given.registration_start_at),
    competition_start_at: moment(given.competition_start_at),
    prize: given.prize ?? before.prize,
    how_to_register: given.how_to_register ?? before.how_to_register,
    server_id: given.server_id === undefined ? before.server_id : given.server_id,
    substitutes: given.substitutes ?? before.substitutes,
    fee_payer: given.fee_payer ?? before.fee_payer,
    check_in_minutes: given.check_in_minutes ?? before.check_in_minutes,
    allowed_classes: [...new Set(given.allowed_classes)].sort((a, b) => a - b),
  }
}

function assertSound({ registration_start_at, competition_start_at, min_level, max_level }: Fields): void {
  if (registration_start_at >= competition_start_at) throw datesReversed()
  if (min_level > max_level) throw levelsReversed()
}

async function assertServer(db: Db | Tx, { server_id }: Fields): Promise<void> {
  if (server_id !== null && !(await listServerIds(db)).includes(server_id)) throw unknownServer()
}

/** An operator's call, or an act of the portal itself. */
export type TournamentCall<E> =
  | UserCall<E>
  | { identity: null; params: ParamsOf<E>; body: BodyOf<E> & { reason: string } }

type Act<Answer> = Parameters<typeof actAsOperator<Answer>>[2]

const actAsCaller = <Answer>(
  deps: PlatformDeps,
  call: Caller & { body: { reason: string } },
  act: Act<Answer>,
): Promise<Answer> => (call.identity === null ? actAsSystem(deps, call, act) : actAsOperator(deps, call, act))

export async function createTournament(
  deps: PlatformDeps,
  call: TournamentCall<typeof operatorTournaments.create>,
): Promise<OperatorTournamentRow> {
  const fields = fieldsOf(call.body, DEFAULTS)
  assertSound(fields)
  await assertServer(deps.db, fields)
  return actAsCaller(deps, call, {
    action: 'tournaments.create',
    async work(tx) {
      const id = await insertTournament(tx, fields)
      await contentChanges(tx, 'tournaments')
      const answer = await readRow(tx, id, deps.clock.now())
      return {
        answer,
        audit: { subject: { type: 'tournament', id }, details: { before: null, after: fields } },
      }
    },
  })
}

/** Who may play, and how many: what the closed list was made by. */
const FROZEN_BY_CLOSE = ['type', 'max_round', 'server_id', 'substitutes', 'check_in_minutes'] as const

/** What the draw was made by. */
const FROZEN_BY_DRAW = ['registration_start_at', 'competition_start_at', 'mode', ...FROZEN_BY_CLOSE] as const

export async function changeTournament(
  deps: PlatformDeps,
  call: UserCall<typeof operatorTournaments.update>,
): Promise<OperatorTournamentRow> {
  return actOnTournament(deps, call, 'update', async (tx, tournament) => {
    const after = fieldsOf(call.body, tournament)
    assertSound(after)
    await assertServer(tx, after)
    const { id, phase, team_count } = tournament
    if (phase === 'finished' || phase === 'cancelled') throw isOver(phase)
    const before = fieldsOf(tournament, tournament)
    const isNew = (field: keyof Fields) => before[field] !== after[field]
    const drawn = tournament.current_round > 0 ? FROZEN_BY_DRAW.find(isNew) : undefined
    if (drawn !== undefined) throw frozen(drawn)
    const closed = tournament.closed_at !== null ? FROZEN_BY_CLOSE.find(isNew) : undefined
    if (closed !== undefined) throw frozenByClose(closed)
    // Its parts ask alike who had to check in.
    if (isListBeingClosed(tournament) && isNew('competition_start_at'))
      throw frozenByClose('competition_start_at')
    if (team_count > (maxTeams(after.max_round) ?? team_count)) throw tooManyTeams(team_count)
    if (after.type !== before.type) {
      const teams = await listTeams(tx, id)
      const tooLarge = teams.find(({ members }) => members.length > teamSize(after.type))
      if (tooLarge) throw tooLargeTeam(tooLarge.name)
    }
    const isFeeNew = (['fee', 'fee_payer', 'type'] as const).some(isNew)
    if (isFeeNew && (await hasTeamsOfPlayers(tx, id))) throw feeIsFixed()
    await updateTournament(tx, id, after)
    if (tournament.current_round === 0)
      await promoteWaiting(tx, { ...tournament, ...after }, deps.clock.now())
    return { before, after }
  })
}

export const cancelTournament = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.cancel>) =>
  actOnTournament(deps, call, 'cancel', async (tx, tournament) => {
    const { id, phase } = tournament
    if (phase === 'finished' || phase === 'cancelled') throw isOver(phase)
    await updateTournament(tx, id, { cancelled_at: deps.clock.now() })
    await beginCancelling(deps, tx, tournament)
    return { before: { phase }, after: { phase: 'cancelled' } }
  })

type ActOf<Name> = Name extends `tournaments.${infer Act}` ? Act : never

type TournamentAct = ActOf<OperatorAct>

type Caller = Pick<UserCall<never>, 'identity' | 'key' | 'overLimit' | 'request'> | { identity: null }

type ActCall = Caller & {
  params: { id: string }
  body: { reason: string; updated_at?: string }
}

/** `personal` names who plays. */
type Details = {
  before: unknown
  after: unknown
  personal?: Record<string, unknown>
  /** Ids of the matches that the act has changed. */
  changed?: readonly string[]
  /** As it is undone; an act without it cannot be. */
  undo?: Before
  /** The matches as they were, of an act that cannot be undone. */
  undone?: Before['matches']
}

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

type Work = (tx: Tx, tournament: OperatorTournamentRow, row: TournamentRow) => Promise<Details>

/**
 * One act on one tournament, in one transaction under its lock, with its row in the audit trail and its event for
 * spectators. An act with an `updated_at` is refused when the tournament has changed since.
 */
export const actOnTournament = (
  deps: PlatformDeps,
  call: ActCall,
  act: TournamentAct,
  work: Work,
): Promise<OperatorTournamentRow> =>
  actUnderLock(deps, call, act, {
    isStale: ({ updated_at }) => call.body.updated_at !== undefined && call.body.updated_at !== updated_at,
    work,
    toAnswer: async (_tx, row) => row,
  })

/** The same at the desk: two referees may act on different matches at once, so the work checks what it changes. */
export const actAtDesk = (
  deps: PlatformDeps,
  call: ActCall,
  act: TournamentAct,
  work: Work,
): Promise<DeskAnswer> =>
  actUnderLock(deps, call, act, {
    isStale: () => false,
    work,
    async toAnswer(tx, row, changed) {
      const rows = changed.length === 0 ? [] : await listMatchRows(tx, row.id)
      return { ...row, changed: rows.filter(({ id }) => changed.includes(id)).map(toOperatorMatch) }
    },
  })

const TEAM_ACTS: ReadonlySet<TournamentAct> = new Set([
  'teams-add',
  'team-update',
  'team-withdraw',
  'seeds',
  'close',
  'draw',
  'update',
])

type Frame<Answer> = {
  isStale(tournament: OperatorTournamentRow): boolean
  work: Work
  toAnswer(tx: Tx, row: OperatorTournamentRow, changed: readonly string[]): Promise<Answer>
}

async function actUnderLock<Answer>(
  deps: PlatformDeps,
  call: ActCall,
  act: TournamentAct,
  { isStale, work, toAnswer }: Frame<Answer>,
): Promise<Answer> {
  const now = deps.clock.now()
  return actAsCaller(deps, call, {
    action: `tournaments.${act}`,
    async work(tx) {
      const { id } = call.params
      const locked = orNotFound(await lockTournament(tx, id))
      const tournament = toOperatorRow(locked, { names: await readGameNames(tx), now })
      if (isStale(tournament)) throw changedMeanwhile(tournament)
      const { personal, changed = [], undo, undone = [], ...details } = await work(tx, tournament, locked)
      await updateTournament(tx, id)
      const after = await readRow(tx, id, deps.clock.now())
      const number = await recordEvent(
        tx,
        { id, kind: act, operatorId: call.identity?.userId ?? null },
        { before: tournament, after, changed, areTeamsChanged: TEAM_ACTS.has(act), undo },
      )
      await notifyOfMatches(tx, after, { number, kind: act, before: undo?.matches ?? undone })
      await contentChanges(tx, 'tournaments')
      return {
        answer: await toAnswer(tx, after, changed),
        audit: { subject: { type: 'tournament', id }, details, ...(personal && { personal }) },
      }
    },
  })
}
