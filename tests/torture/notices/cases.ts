import type { Random } from '../../harness/random.ts'

const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** The code's check character as in the specification: Σ 3^i·v_i mod 31 over the nine characters before it. */
export function codeOf(random: Random): string {
  const values = Array.from({ length: 9 }, () => random.below(LETTERS.length))
  let weight = 1
  let sum = 0
  for (const value of values) {
    weight = (weight * 3) % 31
    sum += weight * value
  }
  return `TCX${[...values, sum % 31].map((value) => LETTERS.charAt(value)).join('')}`
}

/** What happens to one order and its money. */
export type OrderCase =
  | 'exact'
  | 'under'
  | 'over'
  | 'below-minimum'
  | 'above-maximum'
  | 'twice'
  | 'late'
  | 'late-other-rate'
  | 'too-late'
  | 'cancelled'
  | 'no-code'
  | 'two-codes'
  | 'unknown-code'
  | 'foreign'
  | 'wrong-account'
  | 'outgoing'
  | 'trial'
  | 'failed'
  | 'conflict'
  | 'unreported'

/** Each with its weight in the random choice. */
export const CASES: [OrderCase, number][] = [
  ['exact', 34],
  ['under', 6],
  ['over', 6],
  ['below-minimum', 2],
  ['above-maximum', 1],
  ['twice', 6],
  ['late', 7],
  ['late-other-rate', 2],
  ['too-late', 3],
  ['cancelled', 3],
  ['no-code', 9],
  ['two-codes', 3],
  ['unknown-code', 3],
  ['foreign', 3],
  ['wrong-account', 3],
  ['outgoing', 3],
  ['trial', 1],
  ['failed', 2],
  ['conflict', 2],
  ['unreported', 2],
]
