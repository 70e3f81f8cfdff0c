/** What is not seen: soft hyphens, zero-width letters and marks of direction. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/g

/**
 * A text as it is searched by, whatever marks, capitals, blanks and form of Unicode it was typed with: `  Đổi   LƯỢNG ` is
 * `doi luong`. The same as the database's function `search_form`.
 */
export const searchForm = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(UNSEEN, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/đ/gi, 'd')
    .toLowerCase()

/** The words of a search. The apostrophe before them marks a text in files for spreadsheets (`csv.rules.ts`). */
export const searchedWords = (text: string): string[] =>
  searchForm(text)
    .replace(/^'/, '')
    .split(' ')
    .filter((word) => word !== '')

const escaped = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`)

/** Patterns of LIKE for `search_form(…) LIKE ALL (…)`: a text that holds each word. */
export const patternsOfWords = (text: string): string[] =>
  searchedWords(text).map((word) => `%${escaped(word)}%`)

/** The pattern of LIKE for a `search_form(…)` that begins like this text. */
export const beginsWith = (text: string): string => `${escaped(searchedWords(text).join(' '))}%`

/** Whether a text holds each of the words. */
export function holdsWords(text: string, words: readonly string[]): boolean {
  const form = searchForm(text)
  return words.every((word) => form.includes(word))
}
