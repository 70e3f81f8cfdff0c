/** Covers of the night: gates, duels, groves. Each fills 640 × 360. */
import { crowKing } from './creatures.ts'
import { ninja } from './figures.ts'
import { bamboo, cloud, fog, karst, moon, sky, stars, strewn } from './land.ts'
import { seal } from './marks.ts'
import { sceneSize, townColours } from './scene.ts'
import { at, circle, dice, ellipse, faded, group, line, palette, path, rect } from './svg.ts'
import { gate, house, lantern, lanternRope, pagoda } from './village.ts'

export function openingScene(): string {
  const steps = Array.from({ length: 5 }, (_, index) => {
    const half = 96 + index * 26
    return rect(
      { x: 320 - half, y: 286 + index * 16, w: half * 2, h: 17 },
      { fill: index % 2 === 0 ? '#3A2528' : '#2E1D21' },
    )
  })
  return [
    sky(sceneSize, 'red-night'),
    stars({ x: 0, y: 0, w: 640, h: 120 }, 24, 6),
    moon(320, 140, 106, palette.vermilion),
    karst(sceneSize, 290, { rise: 150, fill: '#35191E', seed: 44, count: 7 }),
    fog(sceneSize, 180, 150, 0.3),
    pagoda(104, 296, 118, { ...townColours, tiers: 3 }),
    pagoda(540, 296, 118, { ...townColours, tiers: 3 }),
    rect({ x: 0, y: 286, w: 640, h: 74 }, { fill: '#1C1216' }),
    ...steps,
    gate(320, 290, 250, { post: '#4A1712', roof: '#16131A', beam: '#240F12', sign: palette.ink }),
    at(308.5, 114, 0.23, seal(100)),
    lantern(228, 150, 0.72),
    lantern(412, 150, 0.72),
    ninja(256, 346, 0.5, { classId: 4, look: 2, pose: 'stand' }),
    ninja(320, 352, 0.56, { classId: 1, look: 1, pose: 'stand' }),
    ninja(384, 346, 0.5, { classId: 2, look: 0, pose: 'stand' }),
  ].join('')
}

export function duelScene(): string {
  return [
    sky(sceneSize, 'night'),
    stars({ x: 0, y: 0, w: 640, h: 170 }, 30, 8),
    moon(320, 150, 118),
    faded(0.25, cloud(150, 110, 0.9, palette.paper), cloud(520, 190, 0.8, palette.paper)),
    karst(sceneSize, 300, { rise: 110, fill: '#2C2F46', seed: 17, count: 9 }),
    fog(sceneSize, 200, 120, 0.3),
    path('M0 306Q320 284 640 306V360H0Z', { fill: '#171420' }),
    ellipse([320, 332], 270, 20, { fill: '#241F2E' }),
    ninja(196, 334, 1.16, {
      classId: 1,
      look: 1,
      pose: 'ready',
      held: { weapon: 1, turn: 52, hand: 1, scale: 0.95 },
    }),
    group(
      'translate(444 0) scale(-1 1)',
      ninja(0, 334, 1.16, {
        classId: 6,
        look: 0,
        pose: 'ready',
        held: { weapon: 6, turn: 34, hand: 1, scale: 0.95 },
      }),
    ),
    line('M320 186V168M306 192L294 180M334 192L346 180M300 208H284M340 208H356', palette.vermilion, 5),
    lantern(40, 150, 0.9),
    lantern(600, 150, 0.9),
  ].join('')
}

export function bambooScene(): string {
  const roll = dice(23)
  const grove = (count: number, colours: [string, string], width: number): string =>
    Array.from({ length: count }, (_, index) => {
      const x = ((index + roll() * 0.8) * 660) / count - 10
      return bamboo(x, 370, {
        height: 400,
        width: width * (0.8 + roll() * 0.5),
        colour: colours[0],
        knot: colours[1],
        lean: (roll() - 0.5) * 5,
        seed: 100 + index * 7,
      })
    }).join('')
  const stare = (x: number, y: number, s: number): string =>
    at(
      x,
      y,
      s,
      circle(0, 0, 34, { fill: 'url(#redlight)' }),
      path('M-20 -6L-3 2Q-10 8 -20 -6ZM20 -6L3 2Q10 8 20 -6Z', { fill: '#FF5A3C' }),
    )
  return [
    sky(sceneSize, 'night'),
    moon(456, 96, 56),
    faded(0.5, grove(13, ['#4A5566', '#3C4656'], 9)),
    fog(sceneSize, 60, 300, 0.5),
    grove(9, ['#2E3D40', '#233033'], 14),
    stare(246, 196, 1),
    stare(392, 236, 0.7),
    fog(sceneSize, 200, 170, 0.5),
    grove(5, ['#141F1E', '#0C1413'], 23),
    strewn({ x: 60, y: 150, w: 520, h: 170 }, { count: 16, fill: '#FFE2A8', seed: 77, size: 2.6 }),
    path('M0 338Q180 318 330 336T640 330V360H0Z', { fill: '#0A1010' }),
    ninja(322, 350, 0.62, {
      classId: 3,
      look: 1,
      pose: 'ready',
      held: { weapon: 3, turn: 30, hand: 1, scale: 0.7 },
    }),
  ].join('')
}

export function crowScene(): string {
  return [
    sky(sceneSize, 'red-night'),
    moon(320, 150, 128),
    crowKing(320, 158, 1.32, { body: '#141018', sheen: '#4A3C52' }),
    strewn({ x: 40, y: 40, w: 560, h: 260 }, { count: 16, fill: '#141018', seed: 15, size: 9, flat: 0.28 }),
    path('M0 350L70 316L150 344L240 322L320 350L420 326L500 346L580 314L640 340V360H0Z', { fill: '#120C10' }),
  ].join('')
}

export function lanternScene(): string {
  const afloat = (x: number, y: number, s: number): string =>
    at(
      x,
      y,
      s,
      ellipse([0, 16], 44, 9, { fill: palette.vermilion, opacity: 0.35 }),
      circle(0, -10, 60, { fill: 'url(#glow)' }),
      path('M-26 10L-20 -34H20L26 10Z', { fill: palette.vermilion }),
      path('M-12 10L-9 -34H9L12 10Z', { fill: palette.glow, opacity: 0.7 }),
      path('M-36 8Q0 20 36 8L28 20Q0 26 -28 20Z', { fill: palette.ink }),
    )
  const spots: [number, number, number][] = [
    [90, 238, 0.5],
    [190, 226, 0.42],
    [286, 246, 0.6],
    [404, 230, 0.46],
    [520, 244, 0.56],
    [160, 286, 0.84],
    [470, 292, 0.92],
    [316, 322, 1.12],
    [590, 316, 0.8],
    [40, 318, 0.8],
  ]
  return [
    sky(sceneSize, 'night'),
    stars({ x: 0, y: 0, w: 640, h: 130 }, 40, 18),
    moon(496, 82, 46),
    karst(sceneSize, 208, { rise: 120, fill: '#2C2F46', seed: 27, count: 8 }),
    fog(sceneSize, 110, 110, 0.35),
    house(96, 212, 120, { ...townColours, glow: true }),
    house(206, 210, 90, { ...townColours, windows: 1, glow: true }),
    house(560, 212, 130, { ...townColours, glow: true }),
    rect({ x: 0, y: 206, w: 640, h: 154 }, { fill: '#1A1E30' }),
    faded(
      0.35,
      ...[216, 230, 248, 268, 292].map((y, index) =>
        line(`M${470 - index * 5} ${y}H${522 + index * 5}`, palette.paper, 4),
      ),
    ),
    faded(0.3, line('M40 262H150M220 274H300M380 262H440M60 336H130M400 340H520', '#5A6080', 3)),
    ...spots.map(([x, y, s]) => afloat(x, y, s)),
    lanternRope([-10, 30], [330, 20], { count: 5, sag: 34, scale: 0.62, rope: '#0C0E18' }),
  ].join('')
}
