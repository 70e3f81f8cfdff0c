import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

export const FONT_WEIGHTS = [400, 700] as const

export type FontWeight = (typeof FONT_WEIGHTS)[number]

const SOURCES: Record<FontWeight, string> = {
  400: '400Regular/BeVietnamPro_400Regular.ttf',
  700: '700Bold/BeVietnamPro_700Bold.ttf',
}

/** The vowels of Vietnamese with all their marks. */
const VOWELS = 'aăâeêioôơuưy'
const TONES = ['', '\u0300', '\u0301', '\u0303', '\u0309', '\u0323']

/** What texts use besides letters; a character that is not here is shown in a font of the device. */
const SIGNS = '\u00a0©«°·»×–—‘’“”•…₫←→−≤≥'

const ascii = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)).join('')

const vietnamese = [...VOWELS]
  .flatMap((vowel) => TONES.map((tone) => (vowel + tone).normalize('NFC')))
  .concat('đ')
  .join('')

/** Every character that the font of the player pages holds, each once; marks also alone, for texts that write them apart. */
export const FONT_LETTERS = [
  ...new Set(ascii + vietnamese + vietnamese.toUpperCase() + TONES.join('') + SIGNS),
].join('')

/**
 * Kept is kerning. Left out are the instructions for screens of few pixels, half of the bytes, and the placing of marks: browsers
 * compose a letter and its marks when the font has the whole letter, as it has all of Vietnamese.
 */
const CUT = {
  targetFormat: 'woff2' as const,
  noHinting: true,
  noLayoutClosure: true,
  keepFeatures: ['kern'],
}

/** One weight of the font with those letters alone. */
export async function cutFont(weight: FontWeight): Promise<Buffer> {
  const source = fileURLToPath(import.meta.resolve(`@expo-google-fonts/be-vietnam-pro/${SOURCES[weight]}`))
  return subsetFont(await readFile(source), FONT_LETTERS, CUT)
}
