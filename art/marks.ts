/** The seal, the wordmark, the icons: everything that stands for the game at a small size. */
import { lettering } from '#server/platform/pictures/lettering.ts'
import { ninja } from './figures.ts'
import { coin } from './objects.ts'
import { at, circle, ellipse, group, line, palette, path, plainDrawing, rect } from './svg.ts'
import { emblemOf } from './weapons.ts'

/** A carved seal, `size` wide at the origin: paper marks cut into vermilion, its edge worn as stone wears. */
export function seal(size: number): string {
  const s = size / 100
  const worn =
    'M9 3C28 1 52 4 74 2C86 1 96 3 97 12C99 32 96 56 98 78C98 92 94 97 82 97C60 99 34 96 18 98C6 98 2 92 3 80C1 56 4 36 2 18C2 8 3 4 9 3Z'
  const frame =
    'M14 11C36 9 62 11 84 10C88 10 90 12 90 17C91 38 89 60 90 82C90 88 88 90 83 90C60 91 38 89 17 90C12 90 10 88 10 83C9 60 11 38 10 16C10 12 11 11 14 11Z'
  return at(
    0,
    0,
    s,
    path(worn, { fill: palette.vermilion }),
    path(frame, { fill: 'none', stroke: palette.paper, 'stroke-width': 2.6 }),
    sealFace(),
  )
}

/** Hooded eyes over a four-pointed star: the mark inside the seal. */
function sealFace(): string {
  return [
    path(
      'M20 60C16 32 32 18 50 18C68 18 84 32 80 60C79 74 66 82 50 82C34 82 21 74 20 60ZM27 55C27 65 36 67 50 67C64 67 73 65 73 55C73 46 64 45 50 45C36 45 27 46 27 55Z',
      { fill: palette.paper, 'fill-rule': 'evenodd' },
    ),
    path('M33 51L45 55.5C44 61 35 61 33 51ZM67 51L55 55.5C56 61 65 61 67 51Z', { fill: palette.paper }),
    at(50, 33, 0.17, emblemOf(2, palette.vermilion)),
    path('M21 45L15 41L16.5 47L14.5 53L20.5 51Z', { fill: palette.paper }),
  ].join('')
}

type WordmarkTone = { text: string; accent: string }

/** Seal and name on one line; readable from 180 px wide. */
export function logoDrawing(tone: WordmarkTone): string {
  const small = lettering('TINH HOA', { x: 118, y: 41, size: 31, weight: 700, tracking: 4.4 })
  const large = lettering('NINJA', { x: 116, y: 97, size: 68, weight: 900, tracking: 1.5 })
  const width = Math.ceil(Math.max(116 + large.width, 118 + small.width)) + 6
  return plainDrawing(
    { w: width, h: 108 },
    at(2, 4, 1, seal(100)),
    path(small.d, { fill: tone.text }),
    path(large.d, { fill: tone.accent }),
  )
}

/** The seal by itself: the icon browsers show in a tab. */
export function faviconDrawing(): string {
  return plainDrawing({ w: 100, h: 100 }, seal(100))
}

/** An icon on a full square: `face` is the share of the square the mark may fill. */
export function iconDrawing(size: number, face: number): string {
  const scale = (size * face) / 100
  const edge = (size * (1 - face)) / 2
  return plainDrawing(
    { w: size, h: size },
    rect({ x: 0, y: 0, w: size, h: size }, { fill: palette.vermilion }),
    at(edge, edge, scale, sealFace()),
  )
}

export function tcoinDrawing(): string {
  return plainDrawing({ w: 96, h: 96 }, at(48, 46.5, 1.1, coin()))
}

/** Nothing here yet: an unrolled scroll with a brush asleep on it. Reads on paper and on ink. */
export function emptyScrollDrawing(): string {
  const edge = { stroke: palette.smoke, 'stroke-width': 3, 'stroke-linejoin': 'round' } as const
  return plainDrawing(
    { w: 240, h: 180 },
    ellipse([120, 164], 92, 8, { fill: palette.ash, opacity: 0.3 }),
    circle(182, 46, 30, { fill: palette.vermilion, opacity: 0.9 }),
    rect({ x: 46, y: 36, w: 148, h: 112 }, { fill: palette.paper, ...edge }),
    rect({ x: 58, y: 48, w: 124, h: 88 }, { fill: 'none', stroke: palette.sand, 'stroke-width': 2 }),
    rect({ x: 32, y: 24, w: 176, h: 18, r: 9 }, { fill: palette.ember, ...edge }),
    rect({ x: 32, y: 142, w: 176, h: 18, r: 9 }, { fill: palette.ember, ...edge }),
    line('M84 74Q100 66 116 74T148 74M84 94H126', palette.sand, 4),
    at(146, 100, 0.24, seal(100)),
    group(
      'translate(70 124) rotate(-38)',
      rect({ x: 18, y: -5, w: 84, h: 10, r: 5 }, { fill: '#B98A5E', ...edge }),
      path('M20 -6C6 -8 -6 -2 -16 2C-6 6 8 8 20 6Z', { fill: palette.ink, ...edge }),
    ),
  )
}

/** The page nobody can find: a ninja at a signpost that points everywhere. */
export function lostNinjaDrawing(): string {
  const edge = { stroke: palette.smoke, 'stroke-width': 3, 'stroke-linejoin': 'round' } as const
  const board = (y: number, turn: number, d: string): string =>
    group(`translate(196 ${y}) rotate(${turn})`, path(d, { fill: '#C79A69', ...edge }))
  const right = 'M-34 -13H32L48 0L32 13H-34Z'
  const left = 'M34 -13H-32L-48 0L-32 13H34Z'
  const query = lettering('?', { x: 0, y: 0, size: 54, weight: 800, anchor: 'middle' })
  return plainDrawing(
    { w: 280, h: 220 },
    ellipse([140, 206], 120, 9, { fill: palette.ash, opacity: 0.3 }),
    rect({ x: 190, y: 42, w: 12, h: 164, r: 4 }, { fill: '#A97449', ...edge }),
    board(66, -8, right),
    board(102, 7, left),
    board(138, -4, right),
    ninja(98, 202, 0.98, { classId: 1, look: 3, pose: 'stand', suit: '#6C7896' }),
    group('translate(44 52) rotate(-14)', path(query.d, { fill: palette.vermilion })),
    group('translate(152 46) rotate(12) scale(.62)', path(query.d, { fill: palette.ash })),
  )
}
