import {
  drawnMaxRound,
  isThirdPlace,
  roundCount,
  roundName,
  roundPoints,
} from '#contract/tournament-rules.ts'
import type { Match, Tournament } from '#contract/tournaments.ts'

export type Round = {
  round: number
  name: string
  points: number
  /** Its sides are those who lost the round before, not those who won it. */
  isForLosers: boolean
  matches: readonly Match[]
}

/** All rounds there will be, first to last, each with its matches so far. Before the draw there are none. */
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
  })
}

/** `isAbsent`: the loser of a match with equal wins did not come within the minute. */
export type Side = { name: string | null; wins: number; isWinner: boolean; isAbsent: boolean }

/** A match as its two sides; a name is null while it is not decided who plays there. */
export function sidesOf(match: Match): readonly [Side, Side] {
  const { team1_id, team2_id, winning_team_id } = match
  const isWalkover = winning_team_id !== null && match.team1_win_count === match.team2_win_count
  const outcome = (id: string | null) => ({
    isWinner: id !== null && id === winning_team_id,
    isAbsent: isWalkover && id !== null && id !== winning_team_id,
  })
  return [
    { name: match.team_one?.team_name ?? null, wins: match.team1_win_count, ...outcome(team1_id) },
    { name: match.team_two?.team_name ?? null, wins: match.team2_win_count, ...outcome(team2_id) },
  ]
}
