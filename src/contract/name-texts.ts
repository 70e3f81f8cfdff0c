// What of a name is seen, in one form of its letters. No schema, so that scripts without forms can have it.

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

/** On one line, without what is not seen. */
export const onlySeen = (text: string): string =>
  tidyName(
    tidyName(text.slice(0, TEXT_MAX).replace(LINE_ENDS, ' '))
      .replace(SEEN_ONLY, (_unseen, emoji?: string) => emoji ?? '')
      .replace(PILED_MARKS, '$1'),
  )

/** A name as it may stand on a page, whoever gave it and whenever it was stored. */
export const shownText = (text: string): string => (PLAIN.test(text) ? text : onlySeen(text) || NOTHING_SEEN)
