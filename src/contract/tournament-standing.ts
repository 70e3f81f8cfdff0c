import { isThirdPlace, roundCount } from './tournament-rules.ts'

type LastMatch = { round: number; isDecided: boolean; isWon: boolean }

/** Where a team stands, by its last match. `next`: it plays on. */
export const STANDINGS = ['champion', 'second', 'third', 'fourth', 'out', 'next'] as const
export type Standing = (typeof STANDINGS)[number]

export function standingAfter({ round, isDecided, isWon }: LastMatch, maxRound: number): Standing {
  if (!isDecided) return 'next'
  const isFinal = round === roundCount(maxRound)
  if (isFinal) return isWon ? 'champion' : 'second'
  if (isThirdPlace(round, maxRound)) return isWon ? 'third' : 'fourth'
  return isWon ? 'next' : 'out'
}
