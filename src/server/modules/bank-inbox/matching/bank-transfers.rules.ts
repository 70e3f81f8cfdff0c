import { vietnamDayBounds } from '#server/platform/values/vietnam-time.rules.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/

/** A moment as ISO 8601, or a day in Vietnam: where it begins, or where it ends. Null for anything else. */
export function momentOf(text: string, isEnd: boolean): Date | null {
  if (DAY.test(text)) {
    const day = vietnamDayBounds(text)
    return (isEnd ? day?.end : day?.start) ?? null
  }
  const moment = new Date(MOMENT.test(text) ? text : Number.NaN)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** What is looked for in the text of a transfer: names as they stand there, and phones in their canonical form. */
export function personsIn(texts: readonly string[]): { usernames: string[]; phones: string[] } {
  const usernames = new Set<string>()
  const phones = new Set<string>()
  for (const text of texts) {
    const searched = text.slice(0, TEXT_MAX)
    for (const word of searched.match(/[A-Za-z0-9]{5,20}/g) ?? []) usernames.add(word.toLowerCase())
    for (const [, number] of searched.matchAll(/(?<!\d)(?:\+?84|0)([35789]\d{8})(?!\d)/g)) {
      phones.add(`84${number}`)
    }
  }
  return { usernames: [...usernames].slice(0, WORDS_MAX), phones: [...phones].slice(0, WORDS_MAX) }
}

const TEXT_MAX = 500
const WORDS_MAX = 60
