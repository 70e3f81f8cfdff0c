import unhomoglyph from 'unhomoglyph'

// By what two names are compared: those that a reader takes for each other have one skeleton. It is stored beside a name and
// unique there; it is never shown. Which letters look alike is Unicode's list of confusables (UTS #39).

const MARKS = /\p{M}/gu

/** Letters drawn as small capitals, which Unicode's list does not give back to their letters. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ'
const THEIR_LETTERS = 'abcdefghijklmnopqrstuvwyz'

/** The first of the letters that two make a flag of. */
const REGIONAL_A = 0x1f1e6

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

const base = (text: string) => text.normalize('NFKD').replace(MARKS, '')

/** What a letter is taken for; in the case in which it looks like a letter of ours. */
function prototypeOf(letter: string): string {
  if (isAscii(letter)) return unhomoglyph(letter).toLowerCase()
  const small = SMALL_CAPITALS.indexOf(letter)
  if (small !== -1) return THEIR_LETTERS.charAt(small)
  const point = letter.codePointAt(0) ?? 0
  if (point >= REGIONAL_A && point < REGIONAL_A + 26) return String.fromCharCode(97 + point - REGIONAL_A)
  const candidates = [letter.toLowerCase(), letter.toUpperCase()].map((one) => base(unhomoglyph(one)))
  const found = candidates.find((one) => isAscii(one) && one !== '') ?? candidates[0] ?? letter
  return base(found).toLowerCase()
}

/** Longer texts are no names. */
const LETTERS_MAX = 200
/** One character of another script may stand for a whole word. */
const SKELETON_MAX = 400

/**
 * Case, marks, blanks and signs do not count; `l`, `I`, `i` and `1` are one letter, `0` and `O`, `rn` and `m`, `vv` and `w`, `cl` and
 * `d`, and so are letters of other scripts that look like ours.
 */
export function skeletonOf(name: string): string {
  const letters = Array.from(base(name.slice(0, LETTERS_MAX))).map(prototypeOf)
  const skeleton = letters
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    // A prototype has a case and a look-alike of its own.
    .replace(/[1i|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('m', 'rn')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd')
  return skeleton === '' ? `=${name.slice(0, LETTERS_MAX)}` : skeleton.slice(0, SKELETON_MAX)
}
