// A gift code: letters that nobody mixes up, as in the memo of an order, in groups of four.

import { GIFT_CODE_LETTERS } from '#contract/rewards/gift-codes.ts'
import { codesTyped, hasMarks, typedLetters } from '#server/platform/values/typed-code.rules.ts'

const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUP = 4

/** About 59 bits. `randomInt(max)` must give an unpredictable whole number in 0..max-1. */
export const makeGiftCode = (randomInt: (max: number) => number): string =>
  Array.from({ length: GIFT_CODE_LETTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

/** As it is printed: `ABCD-EFGH-JKMN`. */
export const inGroups = (code: string): string => code.replace(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-')

const isGiftCode = (text: string) =>
  text.length === GIFT_CODE_LETTERS && [...text].every((letter) => ALPHABET.includes(letter))

/** Whoever guesses has so many tries at once: nothing beside the number of all codes. */
const READINGS_MAX = 200

/** The codes that a typed text may be; one where no keyboard has made marks of its letters. */
export const giftCodesTyped = (typed: string): string[] =>
  codesTyped(typed, isGiftCode).slice(0, READINGS_MAX)

/** What a player may have typed wrongly; null where the text looks like a code. */
export function giftCodeFault(typed: string): string | null {
  const letters = typedLetters(typed)
  if (hasMarks(typed)) return 'Mã quà không có dấu: hãy tắt bộ gõ tiếng Việt rồi gõ lại, hoặc dán mã'
  if (/[ILO01]/.test(letters)) return 'Mã quà không có các chữ I, L, O và các số 0, 1: hãy xem lại'
  return letters.length === GIFT_CODE_LETTERS
    ? null
    : `Mã quà gồm ${GIFT_CODE_LETTERS} chữ và số, bạn đã nhập ${letters.length}`
}
