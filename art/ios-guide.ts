/** The four pictures of the iPhone guide, 480 × 420: a phone on paper, each with the one thing to touch. */
import { lettering } from '#server/platform/pictures/lettering.ts'
import { bamboo } from './land.ts'
import { at, circle, drawing, faded, group, line, palette, path, rect } from './svg.ts'
import { seal } from './marks.ts'

const size = { w: 480, h: 420 }
const edge = { stroke: palette.ink, 'stroke-width': 4, 'stroke-linejoin': 'round' } as const
const screen = { x: 138, y: 44, w: 204, h: 376 } as const
const blue = '#3B69A8'

/** Words on the drawn screens; too small a thing to be read aloud, the steps say it in text. */
function words(
  text: string,
  x: number,
  y: number,
  look: { size: number; fill: string; weight?: number },
): string {
  const { d } = lettering(text, { x, y, size: look.size, weight: look.weight ?? 700, anchor: 'middle' })
  return path(d, { fill: look.fill })
}

function grey(x: number, y: number, w: number, h = 10): string {
  return rect({ x, y, w, h, r: h / 2 }, { fill: palette.sand })
}

function phone(...inside: string[]): string {
  return [
    rect({ x: 122, y: 28, w: 236, h: 420, r: 36 }, { fill: palette.ink }),
    rect({ ...screen, r: 24 }, { fill: palette.paper }),
    rect({ x: screen.x, y: 396, w: screen.w, h: 40 }, { fill: palette.paper }),
    rect({ x: 204, y: 52, w: 72, h: 16, r: 8 }, { fill: palette.ink }),
    ...inside,
  ].join('')
}

/** Where the finger goes. */
function touch(x: number, y: number): string {
  return [
    circle(x, y, 32, { fill: palette.vermilion, opacity: 0.18 }),
    circle(x, y, 22, { fill: palette.vermilion, opacity: 0.28 }),
    group(
      `translate(${x} ${y}) rotate(-18)`,
      path(
        'M-9 62V8C-9 -8 9 -8 9 8V34C22 34 40 38 40 54V66C40 84 30 96 14 96H4C-10 96 -16 88 -24 74L-34 56C-38 46 -26 40 -18 50L-9 62Z',
        {
          fill: '#F1C8A0',
          ...edge,
          'stroke-width': 3.5,
        },
      ),
    ),
  ].join('')
}

function paperGround(): string {
  return [
    rect({ x: 0, y: 0, w: size.w, h: size.h }, { fill: palette.cream }),
    circle(92, 108, 58, { fill: palette.vermilion, opacity: 0.9 }),
    faded(
      0.7,
      bamboo(398, 424, {
        height: 390,
        width: 13,
        colour: palette.moss,
        knot: palette.pine,
        lean: 5,
        seed: 8,
      }),
      bamboo(448, 424, {
        height: 330,
        width: 10,
        colour: palette.moss,
        knot: palette.pine,
        lean: -3,
        seed: 3,
      }),
      bamboo(48, 424, {
        height: 220,
        width: 10,
        colour: palette.moss,
        knot: palette.pine,
        lean: -6,
        seed: 5,
      }),
    ),
  ].join('')
}

function icon(x: number, y: number, side: number): string {
  return [
    rect({ x, y, w: side, h: side, r: side * 0.22 }, { fill: palette.vermilion }),
    at(x + side * 0.08, y + side * 0.08, (side * 0.84) / 100, seal(100)),
  ].join('')
}

function safari(): string {
  return drawing(
    size,
    paperGround(),
    phone(
      circle(240, 196, 74, { fill: blue, ...edge }),
      circle(240, 196, 60, { fill: palette.paper }),
      ...Array.from({ length: 12 }, (_, index) =>
        group(`rotate(${index * 30} 240 196)`, line('M240 142V150', palette.ash, 4)),
      ),
      group(
        'rotate(38 240 196)',
        path('M240 148L254 196H226Z', { fill: palette.vermilion }),
        path('M240 244L254 196H226Z', { fill: palette.sand }),
      ),
      words('Safari', 240, 312, { size: 30, fill: palette.ink }),
      rect({ x: 158, y: 344, w: 164, h: 40, r: 14 }, { fill: palette.cream }),
      grey(182, 360, 104, 9),
    ),
    touch(292, 168),
  )
}

function install(): string {
  return drawing(
    size,
    paperGround(),
    phone(
      icon(192, 96, 96),
      grey(186, 212, 108),
      rect({ x: 154, y: 244, w: 172, h: 122, r: 18 }, { fill: '#FFFFFF', ...edge, 'stroke-width': 3 }),
      grey(178, 264, 124, 9),
      grey(192, 282, 96, 9),
      line('M154 312H326', palette.sand, 3),
      line('M240 312V366', palette.sand, 3),
      words('Hủy', 197, 347, { size: 21, fill: palette.smoke, weight: 500 }),
      words('Cài đặt', 283, 347, { size: 21, fill: blue }),
    ),
    touch(318, 364),
  )
}

function trust(): string {
  const row = (y: number, w: number): string =>
    grey(160, y, w) +
    line(`M306 ${y - 2}l8 7l-8 7`, palette.ash, 3) +
    line(`M156 ${y + 26}H324`, palette.cream, 3)
  return drawing(
    size,
    paperGround(),
    phone(
      words('Cài đặt chung', 240, 106, { size: 20, fill: palette.ink }),
      row(136, 92),
      row(176, 118),
      circle(240, 252, 34, { fill: '#2C8573', ...edge }),
      line('M224 252L236 264L257 240', palette.paper, 7),
      rect({ x: 160, y: 312, w: 160, h: 52, r: 16 }, { fill: blue }),
      words('Tin cậy', 240, 347, { size: 25, fill: '#FFFFFF' }),
    ),
    touch(308, 352),
  )
}

function play(): string {
  const apps = [
    [158, 96, '#8FB0A0'],
    [214, 96, '#D9C08A'],
    [270, 96, '#A9B4CC'],
    [158, 168, '#C9A9B8'],
    [270, 168, '#B9C39A'],
    [158, 240, '#A9B4CC'],
    [214, 240, '#8FB0A0'],
    [270, 240, '#D9C08A'],
  ] as const
  return drawing(
    size,
    paperGround(),
    phone(
      ...apps.map(([x, y, fill]) => rect({ x, y, w: 46, h: 46, r: 12 }, { fill })),
      icon(209, 163, 58),
      rect({ x: 152, y: 330, w: 176, h: 58, r: 20 }, { fill: palette.cream }),
      ...[166, 217, 268].map((x) => rect({ x, y: 338, w: 42, h: 42, r: 11 }, { fill: palette.sand })),
    ),
    touch(248, 206),
  )
}

export const iosGuide: Record<string, () => string> = { safari, install, trust, play }
