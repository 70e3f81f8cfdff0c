/** What is left of a promotion, or of its budget, and what unpaid orders hold of it: all of them, and the player’s own. */
export type Share = { left: number; held: number; own: number }

/** Of what is left of a promotion and of its budget, unpaid orders hold so many hundredths together, and those of one player. */
const TOGETHER_PERCENT = 50
const ONE_PLAYER_PERCENT = 10

/** TCoin that may be held for another unpaid order of the player; the rest is for those who pay first. */
export function roomToHold({ promotion, budget }: Record<'promotion' | 'budget', Share>): number {
  const rooms = [promotion, budget].flatMap(({ left, held, own }) => [
    shareOf(left + held, TOGETHER_PERCENT) - held,
    shareOf(left + held, ONE_PLAYER_PERCENT) - own,
  ])
  return Math.max(0, Math.min(...rooms))
}

const shareOf = (coins: number, percent: number): number => Number((BigInt(coins) * BigInt(percent)) / 100n)
