import * as z from 'zod/mini'
import { required } from './fields.ts'

// The rule for every name that others read. A schema takes one of four kinds: `chosenName` (players choose it), `givenTitle`
// (staff writes it), `shownName` (an answer, whatever is stored), `rawName` (the game's own, which is only compared).
// Look-alikes are found on the server: `src/server/domain/name-skeleton.rules.ts`.

/**
 * An emoji with what belongs to it (its colour form, a skin tone, others joined to it), which stays; and what is not seen, or
 * moves what stands around it: controls, marks of direction, joiners, fillers, letters that look like a blank, halves of
 * characters, private and unassigned ones.
 */
const SEEN_ONLY =
  /(\p{Extended_Pictographic}[\ufe0f\p{EMod}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{EMod}]*)*|[0-9#*]\ufe0f\u20e3)|[\p{DI}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u2800\ufffc\u{1d159}]/gu

/** More marks than any language writes over one letter. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu

/** Most names; nothing in them has to be looked at. */
const PLAIN = /^(?! )(?!.* {2})[ -~À-ɏẠ-ỹ]*$/

/** Longer texts are no names: bringing a run of marks into its one form costs the square of its length. */
const TEXT_MAX = 1_000

/** One form of each letter with marks, one blank between words, none around them. */
export const tidyName = (text: string): string =>
  text.length > TEXT_MAX
    ? text
    : text
        .normalize('NFC')
        .replace(/\p{Zs}+/gu, ' ')
        .trim()

/** What stands where nothing of a name can be seen. */
const NOTHING_SEEN = '(tên trống)'

const LINE_ENDS = /[\t-\r\u0085\u2028\u2029]+/g

const onlySeen = (text: string): string =>
  tidyName(
    tidyName(text.slice(0, TEXT_MAX).replace(LINE_ENDS, ' '))
      .replace(SEEN_ONLY, (_unseen, emoji?: string) => emoji ?? '')
      .replace(PILED_MARKS, '$1'),
  )

/** A name as it may stand on a page, whoever gave it and whenever it was stored. */
export const shownText = (text: string): string => (PLAIN.test(text) ? text : onlySeen(text) || NOTHING_SEEN)

/** A name in an answer. Answers are written through their schemas, so that no page shows what the rule does not allow. */
export const shownName = z.string().check(z.overwrite(shownText))

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
      z.minLength(min, `Tối thiểu ${min} kí tự`),
      z.maxLength(max, `Tối đa ${max} kí tự`),
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
      z.maxLength(max, `Tối đa ${max} kí tự`),
      z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Có kí tự không hợp lệ'),
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
      error: `${capital(what)} có kí tự ẩn hoặc dấu chồng lên nhau, hãy gõ lại`,
      abort: true,
    }),
    z.refine((text) => ALLOWED.test(text), {
      error: `${capital(what)} chỉ gồm chữ cái, chữ số, dấu cách và các dấu . , - _ ' & ! ? # + ( ) [ ]`,
      abort: true,
    }),
    z.refine((text) => LETTER_OR_DIGIT.test(text), `${capital(what)} cần ít nhất một chữ cái hoặc chữ số`),
    z.minLength(min, `${capital(what)} có ít nhất ${min} kí tự`),
    z.maxLength(max, `${capital(what)} có nhiều nhất ${max} kí tự`),
    z.refine(
      (text) => !ADVERTISED.test(text),
      `${capital(what)} không được chứa địa chỉ trang web hay số điện thoại`,
    ),
  )
