// A code as people type it: with what chats and keyboards put between its letters, in full-width letters, or through a keyboard
// for Vietnamese, which makes marks of letters (Telex: `AA` â, `DD` đ, `AS` á) or of digits (VNI: `A6` â, `D9` đ, `A1` á).

const UNSEEN_OR_BETWEEN = /[\p{DI}\p{C}\p{Z}\p{P}\p{S}\s]/gu

/** In capitals, marks and all; what stands between the letters is left out. */
export const typedLetters = (typed: string): string =>
  typed.normalize('NFKC').replace(UNSEEN_OR_BETWEEN, '').toUpperCase().normalize('NFC')

/** The keys that make each mark. */
const CIRCUMFLEX = '\u0302'
const BREVE = '\u0306'
const HORN = '\u031b'
const KEYS: Readonly<Record<string, { telex: string; vni: string }>> = {
  '\u0301': { telex: 'S', vni: '1' },
  '\u0300': { telex: 'F', vni: '2' },
  '\u0309': { telex: 'R', vni: '3' },
  '\u0303': { telex: 'X', vni: '4' },
  '\u0323': { telex: 'J', vni: '5' },
  [CIRCUMFLEX]: { telex: '', vni: '6' },
  [HORN]: { telex: 'W', vni: '7' },
  [BREVE]: { telex: 'W', vni: '8' },
}

type Method = 'telex' | 'vni'
/** A letter, and the keys that were pressed for its marks, at once or later in the word. */
type Letter = { base: string; keys: string[] }

const letterOf = (letter: string, method: Method): Letter | null => {
  if (letter === 'Đ') return { base: 'D', keys: [method === 'telex' ? 'D' : '9'] }
  const [base = '', ...marks] = letter.normalize('NFD')
  const keys = marks.map((mark) => KEYS[mark]?.[method] ?? null)
  if (keys.includes(null)) return null
  // Telex makes the circumflex by the letter itself.
  return { base, keys: keys.map((key) => (key === '' ? base : (key as string))) }
}

const READINGS_MAX = 600
/** No code is longer. */
const LETTERS_MAX = 20

/** The ways in which the keys may have stood behind their letters. Keys right behind their letter come first. */
function withKeys(letters: readonly Letter[]): string[] {
  if (letters.length + letters.flatMap(({ keys }) => keys).length > LETTERS_MAX) return []
  let readings: { text: string[]; at: number[] }[] = [
    { text: letters.map(({ base }) => base), at: letters.map((_, index) => index) },
  ]
  for (const [index, { keys }] of letters.entries()) {
    for (const key of keys) {
      readings = readings
        .flatMap(({ text, at }) => {
          const from = (at[index] ?? 0) + 1
          return Array.from({ length: text.length - from + 1 }, (_, more) => ({
            text: text.toSpliced(from + more, 0, key),
            at: at.map((place) => (place >= from + more ? place + 1 : place)),
          }))
        })
        .slice(0, READINGS_MAX)
    }
  }
  return readings.map(({ text }) => text.join(''))
}

/** `Ư` is also typed by `W` alone. */
function telexLetters(letters: readonly Letter[]): Letter[][] {
  let all: Letter[][] = [[]]
  for (const letter of letters) {
    const { base, keys } = letter
    const alone =
      base === 'U' && keys.includes('W') ? [{ base: 'W', keys: keys.filter((key) => key !== 'W') }] : []
    all = all.flatMap((before) => [...alone, letter].map((one) => [...before, one])).slice(0, 64)
  }
  return all
}

/** A key that makes a mark, and the text before it in which it may have made one. */
const MARKING = /(?<=([ADEO]))\1|W|(?<=[AEIOUYD].*)[SFRXJ1-9]/g

/** A key pressed once more takes its mark away again, and is lost: `AAA` is shown as `AA`, `WW` as `W`, `ASS` as `AS`. */
const withLostKey = (text: string): string[] =>
  Array.from(text.matchAll(MARKING), ({ index, 0: key }) => text.slice(0, index) + key + text.slice(index))

/**
 * The codes that a typed text may stand for; `isCode` knows which texts can be one. The text itself, where it is one, stands alone.
 */
export function codesTyped(typed: string, isCode: (text: string) => boolean): string[] {
  const text = typedLetters(typed.slice(0, 200))
  if (isCode(text)) return [text]
  const found = new Set<string>()
  if (text.length > LETTERS_MAX * 2) return []
  for (const method of ['telex', 'vni'] as const) {
    const letters = Array.from(text, (letter) => letterOf(letter, method))
    if (letters.includes(null)) continue
    const known = letters as Letter[]
    for (const reading of method === 'telex' ? telexLetters(known) : [known])
      for (const code of withKeys(reading)) if (isCode(code)) found.add(code)
  }
  if (found.size === 0) for (const code of withLostKey(text)) if (isCode(code)) found.add(code)
  return [...found].slice(0, READINGS_MAX)
}

/** Whether a text has marks that no code has. */
export const hasMarks = (typed: string): boolean => /[^\x20-\x7e]/.test(typedLetters(typed))
