import { maxTeams } from '#contract/tournament-rules.ts'

/** A number from 0 to `bound` − 1, each as likely as the others. */
export type RandomBelow = (bound: number) => number

/** The rounds before the third place and the final that so many teams need. */
export const roundsNeeded = (teams: number): number => Math.ceil(Math.log2(teams))

/**
 * The max_round of a drawn tournament: what its teams need. Where the number of teams is not limited it stays 0, except for two
 * teams, whose only match is the final.
 */
export function drawnRounds(maxRound: number, teams: number): number {
  const needed = roundsNeeded(teams)
  return maxRound === 0 && needed > 1 ? 0 : needed
}

/** How many teams may still register; null: any number. */
export function placesLeft(maxRound: number, teams: number): number | null {
  const most = maxTeams(maxRound)
  return most === null ? null : Math.max(0, most - teams)
}

/** The teams in random order (Fisher and Yates). */
export function shuffle<Team>(teams: readonly Team[], below: RandomBelow): Team[] {
  const order = [...teams]
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = below(last + 1)
    const moved = order[last] as Team
    order[last] = order[chosen] as Team
    order[chosen] = moved
  }
  return order
}

/**
 * The sides of the first round for teams in their drawn order. Every match has a first side; the second sides are given out
 * far from each other, so that the matches left without one (byes) lie apart and two teams without an opponent do not
 * meet at once.
 */
export function firstSides<Team>(order: readonly Team[]): [Team, Team | null][] {
  const matches = 2 ** (roundsNeeded(order.length) - 1)
  const sides = order.slice(0, matches).map((team): [Team, Team | null] => [team, null])
  for (const [index, team] of order.slice(matches).entries()) {
    const match = sides[reversedBits(index, matches)]
    if (match) match[1] = team
  }
  return sides
}

/** `index` with its bits in reversed order, among `count` (a power of two). */
function reversedBits(index: number, count: number): number {
  let reversed = 0
  for (let bit = 1; bit < count; bit *= 2) reversed = reversed * 2 + (Math.floor(index / bit) % 2)
  return reversed
}

/** The first of these names that stands among them twice, whatever its capitals. */
export function firstTwice(names: readonly string[]): string | undefined {
  const found = new Set<string>()
  return names.find((name) => {
    const key = name.toLowerCase()
    const isTwice = found.has(key)
    found.add(key)
    return isTwice
  })
}

/** A result as the referee gives it. */
type GivenResult = {
  team1_win_count: number
  team2_win_count: number
  /** Which side did not come. */
  absent_side: 1 | 2 | null
}

type ResultFault = 'too-many' | 'absent-ahead'

/**
 * The side that goes on: who won more games, or the one that came where the other was absent. Null for a tie. Or what is
 * wrong: more games than the round's points, or the absent side ahead.
 */
export function checkResult(
  { team1_win_count: one, team2_win_count: two, absent_side: absent }: GivenResult,
  points: number,
): { winner: 1 | 2 | null } | { fault: ResultFault } {
  if (one > points || two > points) return { fault: 'too-many' }
  if (absent !== null) {
    const isAhead = absent === 1 ? one > two : two > one
    return isAhead ? { fault: 'absent-ahead' } : { winner: absent === 1 ? 2 : 1 }
  }
  if (one === two) return { winner: null }
  return { winner: one > two ? 1 : 2 }
}
