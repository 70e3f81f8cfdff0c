/** The game itself: its village, its boss, its market. Each fills 640 × 360. */
import { crowKing } from './creatures.ts'
import { ninja, shadowNinja } from './figures.ts'
import { head } from './heads.ts'
import { fog, karst, moon, sky, stars, strewn } from './land.ts'
import { sceneSize, townColours } from './scene.ts'
import { at, ellipse, line, palette, path, rect } from './svg.ts'
import { house, lanternRope, pagoda, stall } from './village.ts'

export function stallScene(): string {
  const wares = [
    at(-30, -112, 0.62, head(0, 3)),
    ...[-62, -34, -6].map((x, index) =>
      at(
        x,
        -46,
        0.34,
        path('M-30 0C-40 -50 40 -50 30 0Z', {
          fill: ['#2C8573', '#8B4B92', '#D98F52'][index],
          stroke: palette.ink,
          'stroke-width': 4,
        }),
      ),
    ),
    ...[24, 44, 64].map((x) =>
      ellipse([x, -54], 9, 9, { fill: '#D98F52', stroke: palette.ink, 'stroke-width': 2 }),
    ),
    ...[34, 54].map((x) =>
      ellipse([x, -68], 9, 9, { fill: '#E8A766', stroke: palette.ink, 'stroke-width': 2 }),
    ),
  ].join('')
  return [
    sky(sceneSize, 'night'),
    stars({ x: 0, y: 0, w: 640, h: 120 }, 26, 41),
    moon(92, 74, 40),
    house(90, 300, 220, { ...townColours, windows: 3, glow: true }),
    house(562, 300, 230, { ...townColours, windows: 3, glow: true }),
    rect({ x: 0, y: 292, w: 640, h: 68 }, { fill: '#1B1620' }),
    stall(320, 326, 1.62, { cloth: palette.vermilion, pale: palette.cream, wood: '#70452A', goods: wares }),
    ninja(136, 350, 0.92, { classId: 3, look: 2, pose: 'stand' }),
    ninja(520, 350, 0.92, { classId: 1, look: 1, pose: 'stand' }),
    lanternRope([-10, 40], [200, 60], { count: 3, sag: 26, scale: 0.7, rope: '#0C0E18' }),
    lanternRope([440, 60], [650, 36], { count: 3, sag: 26, scale: 0.7, rope: '#0C0E18' }),
  ].join('')
}

export function villageNightScene(): string {
  const back = { roof: '#22243A', wall: '#30324A', trim: '#3E4160', light: '#F0BF90' }
  return [
    sky(sceneSize, 'night'),
    stars({ x: 0, y: 0, w: 640, h: 150 }, 40, 14),
    moon(476, 92, 62),
    karst(sceneSize, 250, { rise: 130, fill: '#393C56', seed: 64, count: 8 }),
    fog(sceneSize, 130, 140, 0.4),
    pagoda(170, 262, 120, { ...back, tiers: 4 }),
    ...[
      [60, 262, 110],
      [270, 258, 100],
      [380, 262, 120],
      [500, 258, 104],
      [600, 264, 120],
    ].map(([x, y, w]) => house(x ?? 0, y ?? 0, w ?? 0, { ...back, glow: true })),
    fog(sceneSize, 200, 90, 0.25),
    ...[
      [30, 316, 170],
      [190, 318, 160],
      [430, 316, 170],
      [590, 320, 180],
    ].map(([x, y, w]) => house(x ?? 0, y ?? 0, w ?? 0, { ...townColours, windows: 3, glow: true })),
    path('M236 360Q320 300 330 262L350 262Q352 310 440 360Z', { fill: '#4A3E48' }),
    rect({ x: 0, y: 316, w: 640, h: 44 }, { fill: '#171420', opacity: 0.35 }),
    lanternRope([96, 250], [520, 246], { count: 7, sag: 20, scale: 0.42, rope: '#0C0E18' }),
    ninja(322, 350, 0.62, { classId: 1, look: 2, pose: 'stand' }),
    ninja(372, 352, 0.62, { classId: 3, look: 1, pose: 'stand' }),
    shadowNinja(588, 272, 0.5, { body: '#0C0C14', scarf: palette.vermilion }),
  ].join('')
}

export function bossFightScene(): string {
  return [
    sky(sceneSize, 'red-night'),
    moon(470, 110, 92, palette.vermilion),
    karst(sceneSize, 320, { rise: 150, fill: '#2E161B', seed: 71, count: 7 }),
    fog(sceneSize, 190, 140, 0.22),
    crowKing(408, 148, 1.02, { body: '#141018', sheen: '#4A3C52' }),
    path('M0 300L110 288L240 300L330 316L470 306L640 320V360H0Z', { fill: '#1A1014' }),
    line('M252 226C280 200 300 190 322 190M262 244C292 226 312 222 330 224', palette.glow, 4),
    ninja(160, 332, 1.1, {
      classId: 5,
      look: 1,
      pose: 'ready',
      held: { weapon: 5, turn: 44, hand: 1, scale: 1 },
    }),
    ninja(66, 336, 0.84, {
      classId: 4,
      look: 2,
      pose: 'ready',
      held: { weapon: 4, turn: -6, hand: 1, scale: 0.8 },
    }),
    strewn({ x: 210, y: 60, w: 400, h: 230 }, { count: 13, fill: '#141018', seed: 19, size: 8, flat: 0.28 }),
  ].join('')
}

export function nightMarketScene(): string {
  const fruit = [-50, -26, -2, 22, 46]
    .map((x, index) =>
      ellipse([x, -54], 10, 10, {
        fill: index % 2 === 0 ? '#D98F52' : '#8A9A35',
        stroke: palette.ink,
        'stroke-width': 2,
      }),
    )
    .join('')
  const jars = [-52, -16, 20, 54]
    .map((x, index) =>
      at(
        x,
        -46,
        0.42,
        path('M-20 0C-34 -30 -16 -44 -14 -58H14C16 -44 34 -30 20 0Z', {
          fill: index % 2 === 0 ? '#3B69A8' : '#B98A5E',
          stroke: palette.ink,
          'stroke-width': 4,
        }),
      ),
    )
    .join('')
  const stalls = { pale: palette.cream, wood: '#5E3B25' }
  return [
    sky(sceneSize, 'night'),
    stars({ x: 0, y: 0, w: 640, h: 110 }, 30, 81),
    moon(322, 74, 42),
    karst(sceneSize, 200, { rise: 90, fill: '#363953', seed: 83, count: 8 }),
    fog(sceneSize, 110, 110, 0.35),
    stall(214, 240, 0.66, { ...stalls, cloth: '#2C8573', goods: jars }),
    stall(430, 240, 0.66, { ...stalls, cloth: '#8B4B92', goods: fruit }),
    path('M0 360L236 236H408L640 360Z', { fill: '#3B3038' }),
    stall(84, 330, 1.14, { ...stalls, cloth: palette.vermilion, goods: fruit }),
    stall(560, 330, 1.14, { ...stalls, cloth: '#3B69A8', goods: jars }),
    lanternRope([-10, 70], [322, 128], { count: 5, sag: 12, scale: 0.6, rope: '#0C0E18' }),
    lanternRope([322, 128], [650, 70], { count: 5, sag: 12, scale: 0.6, rope: '#0C0E18' }),
    ninja(300, 270, 0.44, { classId: 0, look: 2, pose: 'stand' }),
    ninja(350, 276, 0.46, { classId: 4, look: 3, pose: 'stand' }),
    ninja(264, 344, 0.84, { classId: 2, look: 2, pose: 'stand' }),
    ninja(392, 346, 0.84, { classId: 1, look: 1, pose: 'stand' }),
  ].join('')
}
