/** Covers that show one thing: the coin, the purse, the stamp… Each fills 640 × 360. */
import { kitten } from './creatures.ts'
import { fog, hills, karst, moon, sky, stars, strewn } from './land.ts'
import { seal } from './marks.ts'
import {
  codePattern,
  coin,
  coinStack,
  gem,
  giftBox,
  hangingScroll,
  phone,
  purse,
  shield,
  stamp,
} from './objects.ts'
import { daylight, sceneSize } from './scene.ts'
import { at, circle, dice, ellipse, faded, group, line, palette, path, polygon, rect } from './svg.ts'
import { lantern } from './village.ts'
import { weaponOf } from './weapons.ts'

/** A table top across the bottom. */
function table(fill: string, rim: string): string {
  return rect({ x: 0, y: 296, w: 640, h: 64 }, { fill }) + rect({ x: 0, y: 296, w: 640, h: 7 }, { fill: rim })
}

export function rechargeScene(): string {
  return [
    daylight([470, 128, 74]),
    table('#8A5A36', '#A97449'),
    at(
      214,
      62,
      1,
      hangingScroll(
        190,
        218,
        at(25, 24, 1, codePattern(140)),
        at(77, 76, 0.36, seal(100)),
        line('M40 184H150M62 198H128', palette.sand, 6),
      ),
    ),
    at(474, 306, 1, coinStack(5)),
    at(556, 312, 1, coinStack(2)),
    at(422, 296, 0.62, coin()),
    at(124, 300, 0.86, coin()),
    at(66, 284, 0.6, coin(0.7)),
  ].join('')
}

export function exchangeScene(): string {
  const arc: [number, number, number, number][] = [
    [110, 236, 0.74, 1],
    [176, 142, 0.68, 0.62],
    [268, 82, 0.66, 0.9],
    [362, 92, 0.58, 0.45],
  ]
  return [
    sky(sceneSize, 'deep'),
    moon(424, 150, 96),
    hills(sceneSize, 320, { rise: 60, fill: '#241F2A', seed: 9 }),
    path('M84 270C140 90 300 20 432 128', {
      fill: 'none',
      stroke: palette.glow,
      'stroke-width': 3,
      opacity: 0.5,
      'stroke-dasharray': '4 12',
    }),
    ...arc.map(([x, y, scale, turn]) => at(x, y, scale, coin(turn))),
    ellipse([438, 322], 120, 16, { fill: '#0E0C12', opacity: 0.6 }),
    at(438, 320, 1.36, purse()),
    at(548, 322, 0.8, coinStack(3)),
    at(322, 326, 0.6, coin()),
  ].join('')
}

export function activationScene(): string {
  return [
    daylight([150, 118, 66]),
    table('#5E3B25', '#7C5133'),
    group(
      'translate(96 214) rotate(-3)',
      rect(
        { x: 0, y: 0, w: 400, h: 106, r: 3 },
        { fill: palette.paper, stroke: palette.ink, 'stroke-width': 3.4 },
      ),
      rect(
        { x: -14, y: -8, w: 26, h: 122, r: 12 },
        { fill: palette.ember, stroke: palette.ink, 'stroke-width': 3.4 },
      ),
      rect(
        { x: 388, y: -8, w: 26, h: 122, r: 12 },
        { fill: palette.ember, stroke: palette.ink, 'stroke-width': 3.4 },
      ),
      line('M40 28H180M40 50H206M40 72H150', palette.ash, 7),
      at(232, 14, 0.76, seal(100)),
    ),
    circle(428, 202, 92, { fill: palette.vermilion, opacity: 0.1 }),
    group('translate(430 232) rotate(14)', stamp()),
    line('M316 182L300 166M352 164L348 142M306 214L282 210', palette.vermilion, 5),
  ].join('')
}

export function giftScene(): string {
  const confetti = strewn(
    { x: 60, y: 20, w: 520, h: 190 },
    { count: 46, fill: palette.vermilion, seed: 5, size: 5, flat: 0.4 },
  )
  return [
    sky(sceneSize, 'dawn'),
    circle(320, 200, 150, { fill: palette.paper, opacity: 0.9 }),
    faded(
      0.6,
      ...Array.from({ length: 12 }, (_, index) =>
        group(
          `translate(320 200) rotate(${index * 30})`,
          polygon(
            [
              [0, 0],
              [-18, -360],
              [18, -360],
            ],
            { fill: '#F6CFA9', opacity: 0.5 },
          ),
        ),
      ),
    ),
    confetti,
    strewn({ x: 40, y: 20, w: 560, h: 200 }, { count: 26, fill: palette.peach, seed: 9, size: 5, flat: 0.5 }),
    hills(sceneSize, 334, { rise: 20, fill: '#D8B48A', seed: 2 }),
    ellipse([262, 322], 120, 14, { fill: '#9A6B41', opacity: 0.45 }),
    at(262, 322, 1.3, giftBox()),
    ellipse([436, 324], 60, 10, { fill: '#9A6B41', opacity: 0.45 }),
    at(436, 324, 1.5, kitten(0, 0, 1)),
    at(530, 322, 0.72, coin()),
  ].join('')
}

export function gemScene(): string {
  return [
    sky(sceneSize, 'night'),
    stars({ x: 0, y: 0, w: 640, h: 190 }, 40, 12),
    karst(sceneSize, 300, { rise: 170, fill: '#2A2D44', seed: 31, count: 6 }),
    fog(sceneSize, 170, 160, 0.35),
    path('M120 360L146 286H494L520 360Z', { fill: '#201F30' }),
    path('M140 286L156 262H484L500 286Z', { fill: '#3A3850' }),
    faded(0.5, line('M200 300V352M320 300V352M440 300V352', '#12111C', 4)),
    at(204, 206, 0.96, gem('#2C8573', '#9FE8D2')),
    at(320, 176, 1.36, gem(palette.vermilion, '#FFC9B4')),
    at(438, 206, 0.96, gem('#6B4AA8', '#D5C2FF')),
    lantern(70, 60, 1, {}),
    lantern(570, 60, 1, {}),
  ].join('')
}

export function classesScene(): string {
  const wraps = ['#D04427', '#3B69A8', '#2C8573', '#8A9A35', '#8B4B92', '#6B5D57']
  const around = wraps.map((wrap, index) => {
    const angle = (index * 60 - 60) * (Math.PI / 180)
    const [x, y] = [320 + Math.cos(angle) * 190, 180 + Math.sin(angle) * 104]
    const tilt = [34, 20, 146, 196, 214, -34][index] ?? 0
    return (
      circle(x, y, 52, { fill: palette.paper, stroke: palette.sand, 'stroke-width': 3 }) +
      group(`translate(${x} ${y}) rotate(${tilt}) scale(.84)`, weaponOf(index + 1, wrap))
    )
  })
  const roll = dice(4)
  const rays = Array.from({ length: 36 }, (_, index) => {
    const angle = index * 10 + roll() * 5
    return group(
      `translate(320 180) rotate(${Math.round(angle)})`,
      line(`M${150 + roll() * 60} 0H${260 + roll() * 90}`, '#E4D3BA', 2 + roll() * 4),
    )
  })
  return [
    sky(sceneSize, 'paper'),
    ...rays,
    circle(320, 180, 84, { fill: palette.vermilion, opacity: 0.12 }),
    ...around,
    at(258, 118, 1.24, seal(100)),
  ].join('')
}

export function safetyScene(): string {
  const digits = [0, 1, 2, 3, 4, 5].map((index) => {
    const x = 9 + index * 14.2
    return (
      rect(
        { x, y: 92, w: 11.4, h: 17, r: 3 },
        { fill: palette.paper, stroke: palette.vermilion, 'stroke-width': 1.8 },
      ) + circle(x + 5.7, 100.5, 2.6, { fill: palette.ink })
    )
  })
  return [
    daylight([320, 160, 116]),
    table('#8A5A36', '#A97449'),
    group(
      'translate(404 96) rotate(9) scale(1.04)',
      phone(
        rect({ x: 0, y: 0, w: 100, h: 40, r: 4 }, { fill: palette.vermilion }),
        at(32, 3, 0.35, seal(100)),
        line('M18 60H82M28 74H72', palette.sand, 6),
        ...digits,
        rect({ x: 20, y: 130, w: 60, h: 20, r: 10 }, { fill: palette.vermilion }),
      ),
    ),
    at(262, 196, 1.42, shield()),
    group('translate(120 296) rotate(78) scale(.9)', weaponOf(3, '#2C8573')),
  ].join('')
}
