import { ALPHABET, CODE_CHARS, isOrderCode, plainLetters, PREFIX } from './order-code.rules.ts'

/** A memo is a line or two; what a provider sends beyond that is not searched for spoilt codes. */
const TEXT_MAX = 500
const CODES_MAX = 300

/**
 * The valid codes that one slip away from a text: one character wrong, missing or too many, or two neighbours swapped.
 * The check character leaves about one in thirty of what could be tried, so a spoilt code has some thirty neighbours,
 * nearly all of which no order has. For an operator to choose from; nothing is ever credited by them.
 */
export function nearOrderCodes(...texts: string[]): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    const plain = plainLetters(text.slice(0, TEXT_MAX))
    for (let at = 0; at < plain.length; at++) {
      for (const code of nearHere(plain, at)) {
        if (found.size >= CODES_MAX) return [...found]
        found.add(code)
      }
    }
  }
  return [...found]
}

function nearHere(plain: string, at: number): string[] {
  const start = plain.slice(at, at + PREFIX.length)
  const whole = plain.slice(at, at + CODE_CHARS)
  if (start !== PREFIX) return isSlipped(start) ? codesIn([PREFIX + whole.slice(PREFIX.length)]) : []
  const short = plain.slice(at, at + CODE_CHARS - 1)
  const long = plain.slice(at, at + CODE_CHARS + 1)
  return codesIn([...replaced(whole), ...swapped(whole), ...filledUp(short), ...leftOut(long)])
}

const isSlipped = (start: string) => [...start].filter((letter, at) => letter !== PREFIX[at]).length === 1

const codesIn = (candidates: string[]) => candidates.filter(isOrderCode)

/** The places behind the prefix. */
const placesIn = (text: string) =>
  Array.from({ length: Math.max(0, text.length - PREFIX.length) }, (_, place) => place + PREFIX.length)

const replaced = (text: string) =>
  placesIn(text).flatMap((at) =>
    [...ALPHABET].map((letter) => text.slice(0, at) + letter + text.slice(at + 1)),
  )

const swapped = (text: string) =>
  placesIn(text).map((at) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2))

const filledUp = (text: string) =>
  [...placesIn(text), text.length].flatMap((at) =>
    [...ALPHABET].map((letter) => text.slice(0, at) + letter + text.slice(at)),
  )

const leftOut = (text: string) => placesIn(text).map((at) => text.slice(0, at) + text.slice(at + 1))
