/** What a starter package holds, each thing on a square of its own; readable at 32 px on paper and on ink. */
import { kitten } from './creatures.ts'
import { ninja } from './figures.ts'
import { at, circle, ellipse, faded, line, palette, path, plainDrawing, rect } from './svg.ts'

const edge = { stroke: palette.smoke, 'stroke-width': 3.4, 'stroke-linejoin': 'round' } as const
const size = { w: 96, h: 96 }

/** Luong, the game's own money: a silver ingot in the shape of a boat. Gold is the TCoin's alone. */
function luongDrawing(): string {
  return plainDrawing(
    size,
    ellipse([48, 82], 34, 6, { fill: palette.ash, opacity: 0.35 }),
    path('M6 36C14 40 22 42 30 42H66C74 42 82 40 90 36C90 62 76 80 48 80C20 80 6 62 6 36Z', {
      fill: '#BFC6D4',
      ...edge,
    }),
    path('M24 41C24 20 34 12 48 12C62 12 72 20 72 41C62 48 34 48 24 41Z', { fill: '#E3E8F0', ...edge }),
    faded(0.9, line('M33 30C35 22 40 19 46 18', '#FFFFFF', 4)),
    line('M16 50C20 62 28 70 38 73', '#F4F7FB', 4),
    path('M48 52L53 59L48 66L43 59Z', { fill: palette.vermilion }),
  )
}

/** Yen, the money of the market: copper coins on a string. */
function yenDrawing(): string {
  const coin = (x: number, y: number): string =>
    at(
      x,
      y,
      1,
      circle(0, 0, 20, { fill: '#B9764A', ...edge }),
      circle(0, 0, 14, { fill: 'none', stroke: '#8A5230', 'stroke-width': 2.4 }),
      rect({ x: -6, y: -6, w: 12, h: 12, r: 1.5 }, { fill: palette.cream, ...edge }),
    )
  return plainDrawing(
    size,
    ellipse([48, 86], 32, 5, { fill: palette.ash, opacity: 0.35 }),
    line('M20 10C34 22 30 30 48 38C66 48 60 70 76 86', palette.vermilion, 5),
    coin(30, 28),
    coin(52, 46),
    coin(66, 66),
    line('M72 84L66 92M76 86L80 93', palette.vermilion, 4),
  )
}

function petDrawing(): string {
  return plainDrawing(
    size,
    ellipse([48, 88], 32, 5, { fill: palette.ash, opacity: 0.35 }),
    kitten(46, 88, 0.84),
  )
}

/** A friend in arms who walks along for some days, from the belt up. */
function companionDrawing(): string {
  return plainDrawing(size, ninja(48, 146, 0.92, { classId: 4, look: 2, pose: 'stand', suit: '#6C7896' }))
}

export const giftDrawings = {
  luong: luongDrawing,
  yen: yenDrawing,
  pet: petDrawing,
  companion: companionDrawing,
} as const
