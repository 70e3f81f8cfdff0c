import * as z from 'zod/mini'
import { required } from './fields.ts'
import { onlySeen, tidyName } from './name-texts.ts'

// The rule for every name that others read. A schema takes one of four kinds: `chosenName` (players choose it), `givenTitle`
// (staff writes it), `shownName` of `shown-name.ts` (an answer, whatever is stored), `rawName` (the game's own, which is only compared).
// Look-alikes are found on the server: `src/server/domain/name-skeleton.rules.ts`.

type Lengths = { min?: number; max: number }

/**
 * What staff writes for others to read on one line: a title, the name of a server or a tournament. Any letters, signs and
 * emoji; what cannot be seen comes along when text is pasted, and is removed.
 * @__NO_SIDE_EFFECTS__
 */
export const givenTitle = (what: string, { min = 1, max }: Lengths) =>
  z
    .string(`Vui lòng nhập ${what}`)
    .check(
      z.overwrite(onlySeen),
      z.minLength(1, `Vui lòng nhập ${what}`),
      z.minLength(min, `Tối thiểu ${min} ký tự`),
      z.maxLength(max, `Tối đa ${max} ký tự`),
    )

/**
 * A name that only the game gives and that is compared as it is: at most so many characters on one line.
 * @__NO_SIDE_EFFECTS__
 */
export const rawName = (max: number) =>
  z
    .string(required)
    .check(
      z.trim(),
      z.minLength(1, required),
      z.maxLength(max, `Tối đa ${max} ký tự`),
      z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Có ký tự không hợp lệ'),
    )

/** The letters of Vietnamese, each in its one form; digits and signs. */
const ALLOWED = /^[A-Za-zÀ-ÃÈ-ÊÌÍÒ-ÕÙÚÝà-ãè-êìíò-õùúýĂăĐđĨĩŨũƠơƯưẠ-ỹ0-9 .,_'’&!?#+()[\]–-]*$/
const LETTER_OR_DIGIT = /[\p{L}0-9]/u

/** An address or a number to call: a name is read by everybody, and is no room for advertising. */
const ADVERTISED =
  /\bwww\b|[a-z0-9-] ?\. ?(?:com|net|org|info|biz|xyz|top|shop|store|site|online|club|vip|vn|me|io|gg|cc|tk)(?![a-z0-9])|(?:[0-9][ .-]?){9}/i

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * A name that a player chooses for others to read: letters of Vietnamese, digits, single blanks and a few signs, each of which
 * counts as one. No emoji: phones show them differently, and two that differ look alike.
 * @__NO_SIDE_EFFECTS__
 */
export const chosenName = (what: string, { min = 1, max }: Lengths) =>
  z.string(`Vui lòng nhập ${what}`).check(
    z.overwrite(tidyName),
    z.minLength(1, `Vui lòng nhập ${what}`),
    z.refine((text) => onlySeen(text) === text, {
      error: `${capital(what)} có ký tự ẩn hoặc dấu chồng lên nhau, hãy gõ lại`,
      abort: true,
    }),
    z.refine((text) => ALLOWED.test(text), {
      error: `${capital(what)} chỉ gồm chữ cái, chữ số, dấu cách và các dấu . , - _ ' & ! ? # + ( ) [ ]`,
      abort: true,
    }),
    z.refine((text) => LETTER_OR_DIGIT.test(text), `${capital(what)} cần ít nhất một chữ cái hoặc chữ số`),
    z.minLength(min, `${capital(what)} có ít nhất ${min} ký tự`),
    z.maxLength(max, `${capital(what)} có nhiều nhất ${max} ký tự`),
    z.refine(
      (text) => !ADVERTISED.test(text),
      `${capital(what)} không được chứa địa chỉ trang web hay số điện thoại`,
    ),
  )
