/** A result as the referee gives it. */
export type GivenResult = {
  team1_win_count: number
  team2_win_count: number
  /** Which side did not come. */
  absent_side: 1 | 2 | null
}

export type ResultFault = 'too-many' | 'absent-ahead'

/**
 * The side that goes on: who won more games, or the one that came where the other was absent. Null for a tie. Or what is
 * wrong: more games than the round's points, or the absent side ahead.
 */
export function judgeResult(
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
