import { createHmac, randomBytes } from 'node:crypto'
import type { OperatorTournamentRow, operatorTournaments } from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundCount, roundName, roundPoints } from '#contract/tournament-rules.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { actOnTournament, toOperatorMatch } from './operator-tournaments.service.ts'
import { firstRound, nextPlaces, placesOf } from './bracket.rules.ts'
import {
  drawnRounds,
  firstSides,
  checkResult,
  type RandomBelow,
  roundsNeeded,
  shuffle,
} from './draw.rules.ts'
import {
  lastRound,
  matchChangedMeanwhile,
  matchNotPlayable,
  notDrawable,
  notLastRound,
  notRunning,
  tooFewTeams,
  undecided,
  wrongResult,
} from './tournaments.errors.ts'
import {
  listTeams,
  updateResult,
  updateSide,
  updateTournament,
  insertMatches,
  listMatchRows,
  type MatchRow,
} from './tournaments.queries.ts'
/** The teams in the order of their ids, so that the seed alone decides. */
export const drawTournament = (
  deps: PlatformDeps,
  call: UserCall<typeof operatorTournaments.draw>,
): Promise<OperatorTournamentRow> =>
  actOnTournament(deps, call, 'draw', async (tx, { id, phase, max_round }) => {
    if (phase !== 'registering' && phase !== 'drawing') throw notDrawable(phase)
    const teams = (await listTeams(tx, id)).map((team) => team.id)
    if (teams.length < 2) throw tooFewTeams(teams.length)
    const seed = newDrawSeed()
    const order = shuffle(teams, randomFromSeed(seed))
    const rounds = roundsNeeded(teams.length)
    const first = firstRound(rounds)
    const sides = firstSides(order)
    await insertMatches(
      tx,
      placesOf(rounds).map(({ round, position }) => {
        const [team1_id = null, team2_id = null] = (round === first && sides[position - 1]) || []
        return { tournament_id: id, round, position, team1_id, team2_id }
      }),
    )
    const after = { max_round: drawnRounds(max_round, teams.length), current_round: first, draw_seed: seed }
    await updateTournament(tx, id, after)
    await openRound(tx, id, { round: first, maxRound: rounds })
    return { before: { max_round, current_round: 0 }, after: { ...after, order } }
  })

type Running = { maxRound: number; round: number; matches: MatchRow[]; current: MatchRow[] }

async function readRunning(
  tx: Tx,
  { id, phase, max_round, current_round }: OperatorTournamentRow,
): Promise<Running> {
  if (phase !== 'running') throw notRunning(phase)
  const matches = await listMatchRows(tx, id)
  return {
    maxRound: drawnMaxRound(max_round, matches),
    round: current_round,
    matches,
    current: matches.filter(({ round }) => round === current_round),
  }
}

type RoundOf = { round: number; maxRound: number }

/** Who has no opponent in a round goes on without playing. */
async function openRound(tx: Tx, id: string, { round, maxRound }: RoundOf): Promise<void> {
  for (const match of (await listMatchRows(tx, id)).filter((one) => one.round === round)) {
    const only = match.team2_id === null ? match.team1_id : match.team1_id === null ? match.team2_id : null
    if (only === null) continue
    await updateResult(tx, match.id, {
      team1_win_count: 0,
      team2_win_count: 0,
      absent_side: null,
      winning_team_id: only,
    })
    await moveOn(tx, id, { match, maxRound, winner: only })
  }
}

type Decided = { match: MatchRow; maxRound: number; winner: string | null }

/** Puts winner and loser where they play next; nobody while there is no winner. */
async function moveOn(tx: Tx, id: string, { match, maxRound, winner }: Decided): Promise<void> {
  const next = nextPlaces(match, maxRound)
  const loser = winner === null ? null : winner === match.team1_id ? match.team2_id : match.team1_id
  if (next.winner) await updateSide(tx, id, { ...next.winner, teamId: winner })
  if (next.loser) await updateSide(tx, id, { ...next.loser, teamId: loser })
}

export const saveResults = (
  deps: PlatformDeps,
  call: UserCall<typeof operatorTournaments.saveResults>,
): Promise<OperatorTournamentRow> =>
  actOnTournament(deps, call, 'results', async (tx, tournament) => {
    const { maxRound, round, current } = await readRunning(tx, tournament)
    const points = roundPoints(round, maxRound)
    const changes: { before: unknown; after: unknown }[] = []
    for (const { match_id, updated_at, ...given } of call.body.results) {
      const match = current.find(({ id }) => id === match_id)
      if (match === undefined) throw matchNotPlayable(null)
      const { position, team1_id, team2_id } = match
      if (team1_id === null || team2_id === null) throw matchNotPlayable(position)
      if (match.updated_at.toISOString() !== updated_at) throw matchChangedMeanwhile(toOperatorMatch(match))
      const checked = checkResult(given, points)
      if ('fault' in checked) throw wrongResult(position, checked.fault, points)
      const winner = checked.winner === null ? null : checked.winner === 1 ? team1_id : team2_id
      const result = { ...given, winning_team_id: winner }
      await updateResult(tx, match.id, result)
      await moveOn(tx, tournament.id, { match, maxRound, winner })
      changes.push({ before: resultOf(match), after: { match_id, position, ...result } })
    }
    return {
      before: { round, results: changes.map(({ before }) => before) },
      after: { round, results: changes.map(({ after }) => after) },
    }
  })

const resultOf = ({
  id,
  position,
  team1_win_count,
  team2_win_count,
  absent_side,
  winning_team_id,
}: MatchRow) => ({ match_id: id, position, team1_win_count, team2_win_count, absent_side, winning_team_id })

/** Throws CONFLICT naming the matches of the round without a winner. */
function assertDecided(current: readonly MatchRow[]): void {
  const open = current.filter(({ winning_team_id }) => winning_team_id === null)
  if (open.length > 0) throw undecided(open.map(({ position }) => position))
}

export const openNextRound = (
  deps: PlatformDeps,
  call: UserCall<typeof operatorTournaments.nextRound>,
): Promise<OperatorTournamentRow> =>
  actOnTournament(deps, call, 'next-round', async (tx, tournament) => {
    const { maxRound, round, current } = await readRunning(tx, tournament)
    if (round === roundCount(maxRound)) throw lastRound()
    assertDecided(current)
    const next = round + 1
    await updateTournament(tx, tournament.id, { current_round: next })
    await openRound(tx, tournament.id, { round: next, maxRound })
    return {
      before: { current_round: round, name: roundName(round, maxRound) },
      after: { current_round: next, name: roundName(next, maxRound) },
    }
  })

export const finishTournament = (
  deps: PlatformDeps,
  call: UserCall<typeof operatorTournaments.finish>,
): Promise<OperatorTournamentRow> =>
  actOnTournament(deps, call, 'finish', async (tx, tournament) => {
    const { maxRound, round, current } = await readRunning(tx, tournament)
    if (round !== roundCount(maxRound)) throw notLastRound()
    assertDecided(current)
    const champion = current[0]?.winning_team_id ?? null
    await updateTournament(tx, tournament.id, { winning_team_id: champion })
    return { before: { winning_team_id: null }, after: { winning_team_id: champion } }
  })

/** 32 random bytes as hexadecimal digits. */
export const newDrawSeed = (): string => randomBytes(32).toString('hex')

const RANGE = 2 ** 32

/** Random numbers that follow from the seed alone: HMAC-SHA256 of a counter, and values beyond the last whole multiple left out. */
export function randomFromSeed(seed: string): RandomBelow {
  const key = Buffer.from(seed, 'hex')
  let counter = 0
  return (bound) => {
    const limit = RANGE - (RANGE % bound)
    for (;;) {
      const value = createHmac('sha256', key).update(String(counter++)).digest().readUInt32BE(0)
      if (value < limit) return value % bound
    }
  }
}
