import type { BodyOf } from '#contract/endpoint.ts'
import type { OperatorTournamentRow, operatorTournaments } from '#contract/operator/tournaments.ts'
import {
  drawnMaxRound,
  type EnteredResult,
  matchOutcome,
  roundCount,
  roundName,
  roundPoints,
} from '#contract/tournament-rules.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import {
  type BracketMatch,
  isDecided,
  openRoundOf,
  playedAgain,
  stateOf,
  wasPlayed,
  withResult,
} from './bracket.rules.ts'
import { type Before, findLastAct, findLastNumber, markUndone } from './events.queries.ts'
import {
  listMatchRows,
  type MatchRow,
  type MatchState,
  updateMatch,
  updateMatches,
} from './matches.queries.ts'
import {
  actAtDesk,
  actOnTournament,
  toOperatorMatch,
  type TournamentCall,
} from './operator-tournaments.service.ts'
import {
  correctedLater,
  lastRound,
  matchChangedMeanwhile,
  matchNotPlayable,
  nothingToUndo,
  notLastRound,
  notPlayedYet,
  notRunning,
  otherMatchesAgain,
  paused,
  pausedAlready,
  notPaused,
  stillBeingPlayed,
  undecided,
  wrongResult,
} from './tournaments.errors.ts'
import { notifyChampion } from './notices/tournament-notices.service.ts'
import { type TournamentRow, updateTournament } from './tournaments.queries.ts'

type Stored = BracketMatch & { row: MatchRow }

type Running = { maxRound: number; round: number; matches: Stored[] }

/** Where two teams met and nobody goes on, neither came. */
function absentOf({ team1_id, team2_id, absent_side, is_void }: MatchRow): (1 | 2)[] {
  if (absent_side !== null) return [absent_side as 1 | 2]
  return is_void && team1_id !== null && team2_id !== null ? [1, 2] : []
}

const toBracket = (row: MatchRow): Stored => ({
  round: row.round,
  position: row.position,
  sides: [row.team1_id, row.team2_id],
  games: [row.team1_win_count, row.team2_win_count],
  absent: absentOf(row),
  winner: row.winning_team_id,
  isVoid: row.is_void,
  row,
})

async function readRunning(tx: Tx, tournament: OperatorTournamentRow): Promise<Running> {
  const { id, phase, max_round, current_round } = tournament
  if (phase !== 'running') throw notRunning(phase)
  const rows = await listMatchRows(tx, id)
  return { maxRound: drawnMaxRound(max_round, rows), round: current_round, matches: rows.map(toBracket) }
}

const rowState = (row: MatchRow): { id: string } & MatchState => ({
  id: row.id,
  ...stateOf(toBracket(row)),
  called_at: row.called_at,
  team1_present: row.team1_present,
  team2_present: row.team2_present,
})

/** Writes what differs. A match whose teams are others is called again. Returns the rows as they were. */
async function writeBracket(tx: Tx, after: readonly Stored[]): Promise<MatchRow[]> {
  const changed = after.filter((match) => {
    const before = stateOf(toBracket(match.row))
    return JSON.stringify(before) !== JSON.stringify(stateOf(match))
  })
  await updateMatches(
    tx,
    changed.map((match) => {
      const { row } = match
      const isSame = row.team1_id === match.sides[0] && row.team2_id === match.sides[1]
      return {
        id: row.id,
        ...stateOf(match),
        ...(!isSame && { called_at: null, team1_present: false, team2_present: false }),
      }
    }),
  )
  return changed.map(({ row }) => row)
}

/** What an act changed, and how it is undone; tournament and matches as they were. */
const changesOf = (
  { current_round, paused_at, finished_at }: TournamentRow,
  matches: readonly MatchRow[] = [],
): { changed: string[]; undo: Before } => ({
  changed: matches.map(({ id }) => id),
  undo: {
    // The last act of a tournament that has a champion is the one that named it.
    tournament: { current_round, paused_at, finished_at, winning_team_id: null },
    matches: matches.map(rowState),
  },
})

/** The match as the caller saw it; `updated_at` may also be the whole tournament's. */
function findMatch(
  { matches }: Running,
  tournament: OperatorTournamentRow,
  { id, updated_at }: { id: string; updated_at: string },
): Stored {
  const match = orNotFound(matches.find(({ row }) => row.id === id))
  const isAsSeen = [match.row.updated_at.toISOString(), tournament.updated_at].includes(updated_at)
  if (!isAsSeen) throw matchChangedMeanwhile(toOperatorMatch(match.row))
  return match
}

function assertPlayable(match: Stored, round: number): void {
  if (match.round !== round) throw matchNotPlayable(null)
  if (match.sides.includes(null)) throw matchNotPlayable(match.position)
}

function outcomeOf({ position }: BracketMatch, result: EnteredResult, points: number) {
  const outcome = matchOutcome(result, points)
  if ('fault' in outcome) throw wrongResult(position, outcome.fault, points)
  return outcome
}

const enteredOf = ({ games1, games2, absent }: Score): EnteredResult => ({
  games: [games1, games2],
  absent: [...new Set(absent)].sort(),
})

type Score = Pick<BodyOf<typeof operatorTournaments.saveResult>, 'games1' | 'games2' | 'absent'>

const auditOf = (row: MatchRow) => ({
  match_id: row.id,
  position: row.position,
  ...stateOf(toBracket(row)),
})

export const saveResult = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.saveResult>) =>
  actAtDesk(deps, call, 'result', async (tx, tournament, row) => {
    const running = await readRunning(tx, tournament)
    const match = findMatch(running, tournament, { id: call.params.match, ...call.body })
    assertPlayable(match, running.round)
    const result = enteredOf(call.body)
    const outcome = outcomeOf(match, result, roundPoints(match.round, running.maxRound))
    const after = withResult(running.matches, running.maxRound, { place: match, result, outcome })
    assertNothingAgain(running, after, match)
    const changed = await writeBracket(tx, after)
    return {
      before: auditOf(match.row),
      after: afterOf(after, match),
      ...changesOf(row, changed),
    }
  })

/** After a correction a match of a later round may be played already: only another correction may take it back. */
function assertNothingAgain({ matches }: Running, after: readonly Stored[], match: Stored): void {
  const again = playedAgain(matches, after, match)
  if (again.length > 0) throw correctedLater(match.position, again.length)
}

const afterOf = (after: readonly Stored[], { row }: Stored) => {
  const match = after.find((one) => one.row.id === row.id)
  return { match_id: row.id, position: row.position, ...(match && stateOf(match)) }
}

export const correctResult = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.correctResult>) =>
  actAtDesk(deps, call, 'correct', async (tx, tournament, row) => {
    const running = await readRunning(tx, tournament)
    const match = findMatch(running, tournament, { id: call.params.match, ...call.body })
    if (match.round > running.round || !wasPlayed(match)) throw notPlayedYet(match.position)
    const result = enteredOf(call.body)
    const outcome = outcomeOf(match, result, roundPoints(match.round, running.maxRound))
    const isDecidedNow = outcome.winner !== null || outcome.isVoid
    if (match.round < running.round && !isDecidedNow) throw stillBeingPlayed(match.position)
    const after = withResult(running.matches, running.maxRound, { place: match, result, outcome })
    const again = playedAgain(running.matches, after, match).map((one) => one.row.id)
    if ([...again].sort().join() !== [...call.body.again].sort().join()) throw otherMatchesAgain(again)
    const changed = await writeBracket(tx, after)
    const current_round = openRoundOf(after, running.round)
    await updateTournament(tx, tournament.id, { current_round })
    return {
      before: { ...auditOf(match.row), current_round: running.round },
      after: { ...afterOf(after, match), current_round, again },
      ...changesOf(row, changed),
    }
  })

/** Several results of one round at once: all of them, or none. */
export const saveResults = (
  deps: PlatformDeps,
  call: TournamentCall<typeof operatorTournaments.saveResults>,
) =>
  actOnTournament(deps, call, 'results', async (tx, tournament, row) => {
    const running = await readRunning(tx, tournament)
    const { maxRound, round } = running
    let after = running.matches
    const given: Stored[] = []
    for (const { match_id, updated_at, absent_side, team1_win_count, team2_win_count } of call.body.results) {
      const match = running.matches.find((one) => one.row.id === match_id)
      if (match === undefined) throw matchNotPlayable(null)
      assertPlayable(match, round)
      if (match.row.updated_at.toISOString() !== updated_at) {
        throw matchChangedMeanwhile(toOperatorMatch(match.row))
      }
      const result: EnteredResult = {
        games: [team1_win_count, team2_win_count],
        absent: absent_side === null ? [] : [absent_side],
      }
      const outcome = outcomeOf(match, result, roundPoints(round, maxRound))
      after = withResult(after, maxRound, { place: match, result, outcome })
      assertNothingAgain(running, after, match)
      given.push(match)
    }
    const changed = await writeBracket(tx, after)
    return {
      before: { round, results: given.map((match) => auditOf(match.row)) },
      after: { round, results: given.map((match) => afterOf(after, match)) },
      ...changesOf(row, changed),
    }
  })

export const callMatch = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.callMatch>) =>
  actAtDesk(deps, call, 'call', async (tx, tournament, row) => {
    const running = await readRunning(tx, tournament)
    if (tournament.paused_at !== null) throw paused()
    const match = findMatch(running, tournament, { id: call.params.match, ...call.body })
    assertPlayable(match, running.round)
    if (isDecided(match)) throw matchNotPlayable(match.position)
    const called_at = deps.clock.now()
    await updateMatch(tx, { id: match.row.id, called_at, team1_present: false, team2_present: false })
    return {
      before: { match_id: match.row.id, position: match.position, called_at: match.row.called_at },
      after: { match_id: match.row.id, position: match.position, called_at },
      ...changesOf(row, [match.row]),
    }
  })

export const markPresent = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.markPresent>) =>
  actAtDesk(deps, call, 'present', async (tx, tournament, row) => {
    const running = await readRunning(tx, tournament)
    const match = findMatch(running, tournament, { id: call.params.match, ...call.body })
    assertPlayable(match, running.round)
    const { side, is_present } = call.body
    const field = side === 1 ? 'team1_present' : 'team2_present'
    await updateMatch(tx, { id: match.row.id, [field]: is_present })
    const place = { match_id: match.row.id, position: match.position, side }
    return {
      before: { ...place, is_present: match.row[field] },
      after: { ...place, is_present },
      ...changesOf(row, [match.row]),
    }
  })

/** Puts back what the last act changed; the acts after it are undone already. */
export const undo = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.undo>) =>
  actAtDesk(deps, call, 'undo', async (tx, tournament) => {
    const { id, phase } = tournament
    const last = await findLastAct(tx, id)
    if (phase === 'cancelled' || last === undefined) throw nothingToUndo()
    if (call.body.number !== undefined && call.body.number !== last.number) throw nothingToUndo()
    const { tournament: state, matches } = last.before
    const present = (await listMatchRows(tx, id)).filter((row) =>
      matches.some((match) => match.id === row.id),
    )
    await updateMatches(tx, matches)
    await updateTournament(tx, id, state)
    await markUndone(tx, id, { number: last.number, by: (await findLastNumber(tx, id)) + 1 })
    return {
      before: { number: last.number, kind: last.kind },
      after: { matches: matches.map((match) => match.id) },
      changed: matches.map((match) => match.id),
      undone: present.map(rowState),
    }
  })

export const pauseTournament = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.pause>) =>
  actOnTournament(deps, call, 'pause', async (tx, { id, phase, paused_at }, row) => {
    if (phase !== 'running') throw notRunning(phase)
    if (paused_at !== null) throw pausedAlready()
    await updateTournament(tx, id, { paused_at: deps.clock.now() })
    return { before: { paused: false }, after: { paused: true }, ...changesOf(row) }
  })

const isAwaited = (row: MatchRow): row is MatchRow & { called_at: Date } =>
  row.called_at !== null && !isDecided(toBracket(row))

/** The minute of teams that were called goes on where it stood. */
export const resumeTournament = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.resume>) =>
  actOnTournament(deps, call, 'resume', async (tx, { id, phase, paused_at }, row) => {
    if (phase !== 'running') throw notRunning(phase)
    if (paused_at === null) throw notPaused()
    const pausedMs = deps.clock.now().getTime() - new Date(paused_at).getTime()
    const called = (await listMatchRows(tx, id)).filter((match) => isAwaited(match))
    await updateMatches(
      tx,
      called.map(({ id: match, called_at }) => ({
        id: match,
        called_at: new Date(called_at.getTime() + pausedMs),
      })),
    )
    await updateTournament(tx, id, { paused_at: null })
    return {
      before: { paused: true },
      after: { paused: false },
      ...changesOf(row, called),
    }
  })

/** Throws CONFLICT naming the matches of the round that are not decided. */
function assertDecided({ matches, round }: Running): void {
  const open = matches.filter((match) => match.round === round && !isDecided(match))
  if (open.length > 0) throw undecided(open.map(({ position }) => position))
}

export const openNextRound = (
  deps: PlatformDeps,
  call: TournamentCall<typeof operatorTournaments.nextRound>,
) =>
  actOnTournament(deps, call, 'next-round', async (tx, tournament, row) => {
    const running = await readRunning(tx, tournament)
    const { maxRound, round } = running
    if (round === roundCount(maxRound)) throw lastRound()
    assertDecided(running)
    const next = round + 1
    await updateTournament(tx, tournament.id, { current_round: next })
    return {
      before: { current_round: round, name: roundName(round, maxRound) },
      after: { current_round: next, name: roundName(next, maxRound) },
      ...changesOf(row),
    }
  })

export const finishTournament = (
  deps: PlatformDeps,
  call: TournamentCall<typeof operatorTournaments.finish>,
) =>
  actOnTournament(deps, call, 'finish', async (tx, tournament, row) => {
    const running = await readRunning(tx, tournament)
    if (running.round !== roundCount(running.maxRound)) throw notLastRound()
    assertDecided(running)
    const champion = running.matches.find(({ round }) => round === running.round)?.winner ?? null
    await updateTournament(tx, tournament.id, {
      winning_team_id: champion,
      finished_at: deps.clock.now(),
      paused_at: null,
    })
    if (champion !== null) await notifyChampion(tx, tournament, champion)
    return {
      before: { winning_team_id: null },
      after: { winning_team_id: champion },
      ...changesOf(row),
    }
  })
