/** What the pages of tournaments show: a poster for each kind, and the laurel of the champion. */
import { circle, group, mirrored, path, plainDrawing } from './svg.ts'

/** A poster's colours at night: darker than the palette's, so that the text beside it stays first. */
const night = '#1f1a17'
const hill = '#2e2520'
const paper = '#f7efe2'
const sun = '#bf3319'
const wood = '#4a3c33'
const gate = '#120e0c'

/** Hills, bamboo and the arena's gate before a red sun; `sign` stands between hills and ground. */
function poster(...sign: string[]): string {
  return plainDrawing(
    { w: 400, h: 160 },
    circle(200, 84, 62, { fill: sun }),
    path('M0 132 62 88l34 26 50-44 40 40 42-30 58 46 44-34 70 42v26H0Z', { fill: hill }),
    ...sign,
    path('M0 142c60-12 130-14 200-6s140 4 200-8v32H0Z', { fill: night }),
    path(
      'M306 92c14 2 26-4 40-4s28 6 44 4c-4 8-10 10-14 10v58h-8v-46h-42v46h-8v-58c-5 0-9-3-12-10Zm20 14v4h42v-4Z',
      { fill: gate, stroke: wood, 'stroke-width': 1.5 },
    ),
    path(
      'M22 160C26 110 24 60 30 6M50 160c2-40 0-84 6-128M24 104l12-4M25 62l12-4M51 92l11-4M30 40c14-12 22-14 34-12-12 2-20 8-34 12ZM56 60c12-12 20-12 32-8-12 0-20 6-32 8Z',
      { fill: 'none', stroke: wood, 'stroke-width': 3 },
    ),
  )
}

/** Crossed blades. */
function duelPoster(): string {
  const blade = group(
    'rotate(38)',
    path('M-3.5-24c-1-34 1-68 9-102 1 34 1 68-1 102Z', { fill: paper }),
    path('M-10-25h22v5h-22ZM-3-18h8V6h-8Z', { fill: paper }),
    path('m1-16 3 4-3 4-3-4Zm0 9 3 4-3 4-3-4Z', { fill: night }),
  )
  return poster(group('translate(164 142)', blade), group('translate(236 142)', mirrored(blade)))
}

/** War banners, in two pairs of colours. */
function groupPoster(): string {
  const banner = (x: number, y: number, cloth: string, mark: string): string =>
    group(
      `translate(${x} ${y})`,
      path('M0-6v140M0 0h30', { stroke: paper, 'stroke-width': 3 }),
      path('M2 1h26c-3 22 3 42 0 66-9 4-17-3-26 1Z', { fill: cloth, stroke: night, 'stroke-width': 1.5 }),
      circle(15, 26, 7, { fill: mark }),
      path('M10 42h10M10 50h10', { stroke: mark, 'stroke-width': 3 }),
    )
  return poster(
    banner(112, 46, paper, night),
    banner(158, 24, sun, paper),
    banner(212, 16, paper, sun),
    banner(262, 38, sun, paper),
  )
}

/** The left half of a wreath, white as the text on the champion's banner. */
function laurel(): string {
  const white = '#ffffff'
  return plainDrawing(
    { w: 40, h: 64 },
    path('M36 62C14 54 6 34 14 4', {
      fill: 'none',
      stroke: white,
      'stroke-width': 2,
      'stroke-linecap': 'round',
    }),
    path(
      'M14 6C8 6 6 2 7 0c5 0 7 3 7 6ZM12 16C5 15 2 10 3 7c6 1 9 4 9 9ZM11 27C4 25 0 20 1 16c6 2 10 6 10 11ZM13 38C6 37 1 33 1 28c6 1 11 5 12 10ZM18 48c-7 0-13-3-14-8 6 0 12 3 14 8ZM26 56c-7 2-13 0-16-4 6-1 13 0 16 4ZM14 20c5-3 6-8 4-11-4 3-6 7-4 11ZM14 32c5-3 7-8 5-11-4 3-7 7-5 11ZM18 43c5-2 8-7 6-10-4 2-7 6-6 10ZM25 52c5-2 8-6 7-9-4 1-7 5-7 9Z',
      { fill: white },
    ),
  )
}

export const tournamentDrawings = { duel: duelPoster, groups: groupPoster, laurel }
