import {
  drawnMaxRound,
  isThirdPlace,
  roundCount,
  roundName,
  roundPoints,
} from '#contract/tournament-rules.ts'
import { standingAfter } from '#contract/tournament-standing.ts'
import type { Match, Tournament } from '#contract/tournaments.ts'

export type Round = {
  round: number
  name: string
  points: number
  /** Its sides are those who lost the round before, not those who won it. */
  isForLosers: boolean
  matches: readonly Match[]
}

/**
 * All rounds there will be, first to last, each with its matches so far. Before the draw there are none. Of two teams
 * nobody plays for the third place.
 */
export function roundsOf(tournament: Tournament, matches: readonly Match[]): readonly Round[] {
  if (tournament.current_round === 0) return []
  const maxRound = drawnMaxRound(tournament.max_round, matches)
  return Array.from({ length: roundCount(maxRound) }, (_, index) => {
    const round = index + 1
    return {
      round,
      name: roundName(round, maxRound),
      points: roundPoints(round, maxRound),
      isForLosers: isThirdPlace(round, maxRound),
      matches: matches.filter((match) => match.round === round),
    }
  }).filter(({ isForLosers }) => maxRound > 1 || !isForLosers)
}

/** `isAbsent`: did not come within the minute. */
export type Side = {
  id: string | null
  name: string | null
  wins: number
  isWinner: boolean
  isAbsent: boolean
}

/** A match as its two sides; a name is null while it is not decided who plays there. */
export function sidesOf(match: Match): readonly [Side, Side] {
  const { team1_id, team2_id, winning_team_id, absent_side } = match
  const isWalkover = winning_team_id !== null && match.team1_win_count === match.team2_win_count
  const outcome = (id: string | null, side: 1 | 2) => ({
    id,
    isWinner: id !== null && id === winning_team_id,
    isAbsent: id !== null && id !== winning_team_id && (isWalkover || match.is_void || absent_side === side),
  })
  return [
    { name: match.team_one?.team_name ?? null, wins: match.team1_win_count, ...outcome(team1_id, 1) },
    { name: match.team_two?.team_name ?? null, wins: match.team2_win_count, ...outcome(team2_id, 2) },
  ]
}

/** Who won the final, before the tournament is closed too; null while it is open. */
export function championOf(rounds: readonly Round[]): Side | null {
  const final = rounds.at(-1)?.matches[0]
  return (final && sidesOf(final).find(({ isWinner }) => isWinner)) ?? null
}

/** Where a match stands. `void`: decided without a winner. */
export function matchState(match: Match): 'decided' | 'void' | 'running' | 'called' | 'open' {
  if (match.is_void) return 'void'
  if (match.winning_team_id !== null) return 'decided'
  if (match.team1_win_count + match.team2_win_count > 0) return 'running'
  return match.called_at === null ? 'open' : 'called'
}

/** The round shown first: the one being played, or the final once it is decided. */
export function firstShown(rounds: readonly Round[], { current_round }: Tournament): Round | undefined {
  if (championOf(rounds)) return rounds.at(-1)
  return rounds.find(({ round }) => round === current_round) ?? rounds.at(-1)
}

export type Trail = { name: string } & (
  | { state: 'champion' | 'second' | 'third' | 'fourth' }
  | { state: 'out'; round: string }
  /** `opponent` is null while it is not decided. */
  | { state: 'next'; round: string; opponent: string | null }
)

/** The result of a team so far; null if it does not play here. */
export function trailOf(rounds: readonly Round[], teamId: string | null): Trail | null {
  const played = rounds.flatMap((round) =>
    round.matches.flatMap((match) => {
      const sides = sidesOf(match)
      const own = sides.find(({ id }) => id !== null && id === teamId)
      return own ? [{ round, match, own, other: sides.find((side) => side !== own) }] : []
    }),
  )
  const last = played.at(-1)
  if (!last) return null
  const { own, other, round, match } = last
  const name = own.name ?? ''
  // A match that nobody won leaves nobody in, also the final.
  if (match.is_void) return { name, state: 'out', round: round.name }
  const maxRound = (rounds.at(-1)?.round ?? 1) - 1
  const isDecided = match.winning_team_id !== null
  const state = standingAfter({ round: round.round, isDecided, isWon: own.isWinner }, maxRound)
  if (state === 'out') return { name, state, round: round.name }
  if (state !== 'next') return { name, state }
  if (!isDecided) return { name, state, round: round.name, opponent: other?.name ?? null }
  // Won, and its next match is not there yet.
  const next = rounds.find((one) => one.round > round.round && !one.isForLosers)
  return { name, state, round: next?.name ?? round.name, opponent: null }
}
