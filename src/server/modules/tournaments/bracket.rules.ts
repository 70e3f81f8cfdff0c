import { roundCount } from '#contract/tournament-rules.ts'

/** How a match ended: the games each side won, and who goes on where the wins do not say it (a side was absent). */
export type Result = { wins: readonly [number, number]; winner: 1 | 2 }

/** One match of a bracket; sides are places in the draw, null while they are not decided. */
export type BracketMatch = {
  round: number
  /** From 1. */
  position: number
  sides: readonly [number | null, number | null]
  result: Result | null
}

/**
 * The whole bracket of a draw of 2^max_round teams. Neighbours of the draw meet in round 1; winners of neighbouring
 * matches meet in the next round. The round before the last is the match for the third place, between those who lost
 * the semi-finals. `results[r][p]` is the outcome of match p+1 of round r+1, null or absent while it is not played.
 */
export function bracketOf(
  maxRound: number,
  results: readonly (readonly (Result | null)[])[],
): BracketMatch[] {
  const rounds: BracketMatch[][] = []
  const teams = Array.from({ length: 2 ** maxRound }, (_, index) => index)
  for (let round = 1; round <= roundCount(maxRound); round++) {
    const sides = sidesOf({ round, maxRound, teams, rounds })
    rounds.push(
      sides.map((pair, index) => {
        const isDecided = pair[0] !== null && pair[1] !== null
        return {
          round,
          position: index + 1,
          sides: pair,
          result: isDecided ? (results[round - 1]?.[index] ?? null) : null,
        }
      }),
    )
  }
  return rounds.flat()
}

type Stage = { round: number; maxRound: number; teams: number[]; rounds: BracketMatch[][] }

function sidesOf({ round, maxRound, teams, rounds }: Stage): [number | null, number | null][] {
  const isThirdPlace = round === maxRound
  const isFinal = round === roundCount(maxRound)
  if (round === 1 && !isFinal && !isThirdPlace) return pairs(teams)
  // Third place and final are both played by those of the semi-finals, the one by the losers, the other by the winners.
  const semiFinals = rounds[maxRound - 2]
  if (isThirdPlace) return semiFinals ? pairs(semiFinals.map(loserOf)) : []
  if (isFinal) return pairs(semiFinals ? semiFinals.map(winnerOf) : teams)
  return pairs((rounds[round - 2] ?? []).map(winnerOf))
}

function pairs(sides: readonly (number | null)[]): [number | null, number | null][] {
  return Array.from({ length: Math.floor(sides.length / 2) }, (_, index) => [
    sides[2 * index] ?? null,
    sides[2 * index + 1] ?? null,
  ])
}

export function winnerOf({ sides, result }: BracketMatch): number | null {
  return result === null ? null : (sides[result.winner - 1] ?? null)
}

function loserOf({ sides, result }: BracketMatch): number | null {
  return result === null ? null : (sides[2 - result.winner] ?? null)
}
