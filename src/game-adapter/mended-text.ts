// A game whose connection says latin1 and whose letters are UTF-8 stores `Nguyễn` as the bytes of UTF-8, which the database
// takes for letters of latin1: `Nguyá»…n`. The game reads them back as it wrote them, everybody else reads the letters.

/** What MySQL calls latin1 is cp1252, with control characters where that has none: as browsers read it. */
const latin1 = new TextDecoder('windows-1252')
const LETTERS = Array.from({ length: 256 }, (_, byte) => latin1.decode(Uint8Array.of(byte)))
const BYTES = new Map(LETTERS.map((letter, byte) => [letter, byte]))
const utf8 = new TextDecoder('utf-8', { fatal: true })

export const isLatin1 = (text: string): boolean => Array.from(text).every((letter) => BYTES.has(letter))

/** The letters that were meant, where a text is UTF-8 that was read as latin1; any other text as it is. */
export function mended(text: string): string {
  if (/^[\0-\x7f]*$/.test(text) || !isLatin1(text)) return text
  try {
    return utf8.decode(Uint8Array.from(text, (letter) => BYTES.get(letter) ?? 0))
  } catch {
    return text
  }
}

/** How such a game has stored a text: the form that a column is searched for. */
export const asStored = (text: string): string => latin1.decode(new TextEncoder().encode(text))
