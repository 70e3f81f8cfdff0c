// The transfer memo of an order: TCX, nine random characters and one that checks them. The alphabet leaves out what
// people and bank forms mix up (I, L, O, 0, 1).

const PREFIX = 'TCX'
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const RANDOM_CHARS = 9
const CODE_CHARS = PREFIX.length + RANDOM_CHARS + 1
// Powers of 3, a primitive root of 31: no two weights are alike and no two neighbours cancel out, so neither one wrong
// character nor two swapped neighbours can leave the sum as it was.
const WEIGHTS = [3, 9, 27, 19, 26, 16, 17, 20, 29]

/** `randomInt(max)` must give an unpredictable whole number in 0..max-1. */
export function makeOrderCode(randomInt: (max: number) => number): string {
  const body = Array.from({ length: RANDOM_CHARS }, () => letterAt(randomInt(ALPHABET.length))).join('')
  return PREFIX + body + checkOf(body)
}

export function isOrderCode(text: string): boolean {
  if (text.length !== CODE_CHARS || !text.startsWith(PREFIX)) return false
  return text.endsWith(checkOf(text.slice(PREFIX.length, -1)) ?? ' ')
}

/**
 * Every different valid code in what a bank made of a memo: marks lost, letters made small, blanks and stops put in,
 * text glued to either end. Each text is searched by itself, so that two of them never make up a code together.
 */
export function findOrderCodes(...texts: string[]): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    const plain = plainLetters(text)
    // Every position, also inside what looked like a code: a false start must not hide the true one behind it.
    for (let at = plain.indexOf(PREFIX); at !== -1; at = plain.indexOf(PREFIX, at + 1)) {
      const code = plain.slice(at, at + CODE_CHARS)
      if (isOrderCode(code)) found.add(code)
    }
  }
  return [...found]
}

/** The fields of a payment event that may contain a code. */
type CodeFields = { provider: string; code: string | null; memo: string; fullText: string }

/** The codes in it. At MoMo's gateway a payment names its order, and nothing else counts. */
export function orderCodesOf({ provider, code, memo, fullText }: CodeFields): string[] {
  if (provider === 'momo') return code !== null && isOrderCode(code) ? [code] : []
  return findOrderCodes(code ?? '', memo, fullText)
}

function letterAt(index: number): string {
  const letter = ALPHABET[index]
  if (letter === undefined) throw new RangeError('the random source left its range')
  return letter
}

/** The character that closes a body, or undefined where the body is not of the alphabet. */
function checkOf(body: string): string | undefined {
  let sum = 0
  for (const [at, weight] of WEIGHTS.entries()) {
    const value = ALPHABET.indexOf(body.charAt(at) || ' ')
    if (value === -1) return undefined
    sum += weight * value
  }
  return ALPHABET.charAt(sum % ALPHABET.length)
}

/** Text as codes are looked for in: letters and digits only. */
export function plainLetters(text: string): string {
  return (
    text
      // Loose marks go before the decomposition: sorting a long run of them costs the square of its length.
      .replace(/\p{M}/gu, '')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/[đĐ]/g, 'd')
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
  )
}

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
