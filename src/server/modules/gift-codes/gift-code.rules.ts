// A gift code: letters that nobody mixes up, as in the memo of an order, in groups of four.

import { GIFT_CODE_LETTERS } from '#contract/rewards/gift-codes.ts'

const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUP = 4

/** About 59 bits. `randomInt(max)` must give an unpredictable whole number in 0..max-1. */
export const makeGiftCode = (randomInt: (max: number) => number): string =>
  Array.from({ length: GIFT_CODE_LETTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

/** As it is printed: `ABCD-EFGH-JKMN`. */
export const inGroups = (code: string): string => code.replace(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-')

/** A typed code without what was put between its letters; null where it cannot be one. */
export function plainGiftCode(typed: string): string | null {
  const plain = typed.replace(/[\s\p{Pd}\p{Cf}.]/gu, '').toUpperCase()
  return plain.length === GIFT_CODE_LETTERS && [...plain].every((letter) => ALPHABET.includes(letter))
    ? plain
    : null
}
