import { lettering, writableText } from '#server/platform/pictures/lettering.ts'

export const SHARE_SIZE = { width: 1200, height: 630 } as const
/** Bottom right corner of the paper, for the logo. */
export const LOGO = { width: 168, height: 53, right: 56, bottom: 34 } as const

const WEIGHT = 800
const EDGE = 64
const LINE_WIDTH = SHARE_SIZE.width - 2 * EDGE - 24
const WIDTH_STEP = 24
const LINES_MAX = 3
const LETTERS_MAX = 240
const SIZES = [66, 58, 50, 44] as const
const LINE_HEIGHT = 1.3
const PAPER_PADDING = 46
const LOGO_ROW = 74
const SEAL = { height: 50, padding: 14, size: 30, bottom: 26 } as const

const widthOf = (text: string, size: number) => lettering(text, { x: 0, y: 0, size, weight: WEIGHT }).width

/** Words set into lines, none wider than `width`; a single word that is wider has a line of its own. */
function linesOf(words: readonly string[], size: number, width: number = LINE_WIDTH): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** Narrower as long as there are no more lines: the last one is not a single word. */
function evened(words: readonly string[], size: number, lines: string[]): string[] {
  for (let width = LINE_WIDTH - WIDTH_STEP; width > LINE_WIDTH / 2; width -= WIDTH_STEP) {
    const narrower = linesOf(words, size, width)
    const isWithin = narrower.every((line) => widthOf(line, size) <= width)
    if (narrower.length > lines.length || !isWithin) break
    lines = narrower
  }
  return lines
}

/** Cuts letters off until the ellipsis fits as well. */
function cutToWidth(line: string, size: number, ending: string): string {
  let letters = Array.from(line)
  while (letters.length > 0 && widthOf(letters.join('') + ending, size) > LINE_WIDTH) {
    letters = letters.slice(0, -1)
  }
  return letters.join('').trimEnd() + ending
}

/** The largest lettering in which the title fits three lines; a title too long for the smallest is cut. */
export function setTitle(title: string): { size: number; lines: string[] } {
  // More letters than three lines could ever hold need not be measured.
  const words = writableText(title.slice(0, LETTERS_MAX), WEIGHT).split(' ')
  for (const size of SIZES) {
    const lines = linesOf(words, size)
    if (lines.length <= LINES_MAX && lines.every((line) => widthOf(line, size) <= LINE_WIDTH)) {
      return { size, lines: lines.length > 1 ? evened(words, size, lines) : lines }
    }
  }
  const size = SIZES[SIZES.length - 1] as number
  const all = linesOf(words, size)
  const lines = all.slice(0, LINES_MAX).map((line, index) => {
    const isCut = index === LINES_MAX - 1 && all.length > LINES_MAX
    return cutToWidth(line, size, isCut ? '…' : '')
  })
  return { size, lines }
}

/** The class of the game by age, white on red; `x`, `y` is its upper left corner. */
export function ageSeal(ageClass: string, { x, y }: { x: number; y: number }): string {
  const { height, padding, size } = SEAL
  const baseline = y + height / 2 + size * 0.35
  const { d, width } = lettering(ageClass, { x: x + padding, y: baseline, size, weight: WEIGHT })
  return `<rect x="${x}" y="${y}" width="${Math.round(width) + 2 * padding}" height="${height}" rx="8" fill="#C8371F"/>
<path d="${d}" fill="#FBF7F0"/>`
}

/** The seal alone, to be laid over the picture of the portal. */
export const sealSheet = (ageClass: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_SIZE.width}" height="${SHARE_SIZE.height}">
${ageSeal(ageClass, { x: 88, y: 332 })}
</svg>`

/** A sheet of paper over the foot of the picture with the title in ink, and how much of the picture it covers. */
export function titleSheet(title: string, ageClass: string): { svg: string; paperHeight: number } {
  const { size, lines } = setTitle(title)
  const paperHeight = Math.round(PAPER_PADDING + lines.length * size * LINE_HEIGHT + LOGO_ROW)
  const top = SHARE_SIZE.height - paperHeight
  const outlines = lines.map((line, index) => {
    const y = top + PAPER_PADDING + size * (0.82 + index * LINE_HEIGHT)
    return `<path d="${lettering(line, { x: EDGE + 24, y, size, weight: WEIGHT }).d}" fill="#1F1A17"/>`
  })
  const strokeHeight = lines.length * size * LINE_HEIGHT - size * 0.3
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_SIZE.width}" height="${SHARE_SIZE.height}">
<rect y="${top}" width="${SHARE_SIZE.width}" height="${paperHeight}" fill="#FBF7F0"/>
<rect y="${top}" width="${SHARE_SIZE.width}" height="6" fill="#C8371F"/>
<rect x="${EDGE - 14}" y="${top + PAPER_PADDING}" width="10" height="${strokeHeight}" rx="5" fill="#C8371F"/>
${outlines.join('\n')}
${ageSeal(ageClass, { x: EDGE + 24, y: SHARE_SIZE.height - SEAL.bottom - SEAL.height })}
</svg>`
  return { svg, paperHeight }
}
