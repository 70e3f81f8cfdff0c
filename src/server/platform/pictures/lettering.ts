/**
 * Lettering as outlines. The renderer's own text depends on the fonts of the machine; these outlines come from
 * the portal's own typeface, so a picture is the same wherever it is rendered.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
// oxlint-disable-next-line import/default -- a CommonJS module: Node gives it as the default
import opentype, { type Font, type PathCommand } from 'opentype.js'

const SCRIPTS = ['latin', 'latin-ext', 'vietnamese']

const faces = new Map<number, Font[]>()

/** The font files of one weight; each covers some of the characters. */
function facesOf(weight: number): Font[] {
  const known = faces.get(weight)
  if (known) return known
  const read = SCRIPTS.map((script) => {
    const name = `@fontsource/be-vietnam-pro/files/be-vietnam-pro-${script}-${weight}-normal.woff`
    return opentype.parse(new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(name)))).buffer)
  })
  faces.set(weight, read)
  return read
}

type Lettering = {
  x: number
  y: number
  size: number
  weight?: number
  tracking?: number
  anchor?: 'start' | 'middle'
}

const canWrite = (face: Font, letter: string) => face.charToGlyphIndex(letter) !== 0

/** The text without what the typeface cannot write: pictures, other scripts. */
export function writableText(text: string, weight: number): string {
  const known = facesOf(weight)
  const letters = Array.from(text.normalize('NFC'), (letter) =>
    known.some((face) => canWrite(face, letter)) ? letter : ' ',
  )
  return letters.join('').replace(/\s+/g, ' ').trim()
}

const round = (value: number): number => Math.round(value * 10) / 10

/** Written here: the library's own `toPathData` writes NaN for what is nearly a whole number (2.0.0). */
function pathData(steps: readonly PathCommand[]): string {
  return steps
    .map(({ type, ...points }) => {
      const { x1, y1, x, y } = points as Partial<Record<'x1' | 'y1' | 'x' | 'y', number>>
      return type + [x1, y1, x, y].flatMap((value) => (value === undefined ? [] : [round(value)])).join(' ')
    })
    .join('')
}

/** The outline of one line of text with its baseline at (x, y), and how wide it came out. */
export function lettering(text: string, style: Lettering): { d: string; width: number } {
  const { size, weight = 800, tracking = 0 } = style
  const letters = Array.from(text.normalize('NFC'), (letter) => {
    const face = facesOf(weight).find((each) => canWrite(each, letter))
    if (face === undefined) throw new Error(`the typeface cannot write “${letter}”`)
    const glyph = face.charToGlyph(letter)
    return { glyph, advance: ((glyph.advanceWidth ?? 0) * size) / face.unitsPerEm + tracking }
  })
  const width = letters.reduce((sum, { advance }) => sum + advance, 0)
  let pen = style.anchor === 'middle' ? style.x - width / 2 : style.x
  let d = ''
  for (const { glyph, advance } of letters) {
    d += pathData(glyph.getPath(pen, style.y, size).commands)
    pen += advance
  }
  return { d, width }
}
