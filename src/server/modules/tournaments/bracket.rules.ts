import { roundCount } from '#contract/tournament-rules.ts'

/** How a match ended: the games each side won, and who goes on, which the wins do not show where a side was absent. */
export type Result = { wins: readonly [number, number]; winner: 1 | 2 }

export type Place = {
  round: number
  /** From 1. */
  position: number
}

type Side = 1 | 2

/** One match of a bracket; sides are places in the draw, null while they are not decided. */
export type BracketMatch = Place & {
  sides: readonly [number | null, number | null]
  result: Result | null
}

/** With two places the only match is the final, which is round 2: there is nobody to play for the third place. */
export const firstRound = (maxRound: number): number => (maxRound === 1 ? 2 : 1)

const matchesOf = (round: number, maxRound: number): number =>
  round < maxRound ? 2 ** (maxRound - round) : 1

/** Every match of a bracket of 2^maxRound places, round by round. */
export function placesOf(maxRound: number): Place[] {
  const first = firstRound(maxRound)
  return Array.from({ length: roundCount(maxRound) - first + 1 }, (_, index) => first + index).flatMap(
    (round) =>
      Array.from({ length: matchesOf(round, maxRound) }, (_, index) => ({ round, position: index + 1 })),
  )
}

/**
 * On which side of which match the winner and the loser of a match play next. Winners of neighbouring matches meet in the
 * next round. The round before the last is the match for the third place, between those who lost the semi-finals.
 */
export function nextPlaces(
  { round, position }: Place,
  maxRound: number,
): { winner: (Place & { side: Side }) | null; loser: (Place & { side: Side }) | null } {
  const side = position % 2 === 1 ? 1 : 2
  if (round >= maxRound) return { winner: null, loser: null }
  if (round < maxRound - 1) {
    return { winner: { round: round + 1, position: Math.ceil(position / 2), side }, loser: null }
  }
  return {
    winner: { round: roundCount(maxRound), position: 1, side },
    loser: { round: maxRound, position: 1, side },
  }
}

/**
 * The whole bracket of a draw of 2^maxRound teams; neighbours of the draw meet first. `results[r][p]` is the outcome of
 * match p+1 of round r+1, null or absent while it is not played.
 */
export function bracketOf(
  maxRound: number,
  results: readonly (readonly (Result | null)[])[],
): BracketMatch[] {
  const first = firstRound(maxRound)
  const sidesOf = new Map<string, [number | null, number | null]>()
  const sidesAt = ({ round, position }: Place) => {
    const key = `${round}.${position}`
    const sides = sidesOf.get(key) ?? [null, null]
    sidesOf.set(key, sides)
    return sides
  }
  return placesOf(maxRound).map((place) => {
    const { round, position } = place
    const sides = sidesAt(place)
    if (round === first) sides.splice(0, 2, 2 * position - 2, 2 * position - 1)
    const isDecided = sides[0] !== null && sides[1] !== null
    const match = { ...place, sides, result: isDecided ? (results[round - 1]?.[position - 1] ?? null) : null }
    const next = nextPlaces(place, maxRound)
    if (next.winner) sidesAt(next.winner)[next.winner.side - 1] = winnerOf(match)
    if (next.loser) sidesAt(next.loser)[next.loser.side - 1] = loserOf(match)
    return match
  })
}

export function winnerOf({ sides, result }: BracketMatch): number | null {
  return result === null ? null : (sides[result.winner - 1] ?? null)
}

function loserOf({ sides, result }: BracketMatch): number | null {
  return result === null ? null : (sides[2 - result.winner] ?? null)
}
