/** Whole people. Chibi figures stand with their feet at (x, y); about 170 tall at scale 1. */
import { classCloth, head } from './heads.ts'
import { at, circle, ellipse, group, line, palette, path, polygon } from './svg.ts'
import type { Point } from './svg.ts'
import { weaponOf } from './weapons.ts'

type Limb = readonly [from: Point, bend: Point, to: Point]
type Pose = { hands: [Limb, Limb]; feet: [Limb, Limb]; tilt?: number }

/** Joints relative to the head's 96 × 96 box: shoulders near y 92, hips near y 126, soles near y 160. */
const poses = {
  stand: {
    hands: [
      [
        [34, 98],
        [24, 110],
        [26, 124],
      ],
      [
        [62, 98],
        [72, 110],
        [70, 124],
      ],
    ],
    feet: [
      [
        [41, 128],
        [39, 142],
        [38, 156],
      ],
      [
        [55, 128],
        [57, 142],
        [58, 156],
      ],
    ],
  },
  ready: {
    hands: [
      [
        [34, 98],
        [18, 104],
        [10, 94],
      ],
      [
        [62, 98],
        [80, 108],
        [90, 98],
      ],
    ],
    feet: [
      [
        [41, 128],
        [28, 138],
        [22, 156],
      ],
      [
        [55, 128],
        [68, 138],
        [74, 156],
      ],
    ],
  },
  run: {
    hands: [
      [
        [34, 98],
        [16, 106],
        [4, 100],
      ],
      [
        [62, 98],
        [78, 110],
        [92, 104],
      ],
    ],
    feet: [
      [
        [42, 128],
        [24, 136],
        [8, 144],
      ],
      [
        [54, 128],
        [72, 134],
        [70, 156],
      ],
    ],
    tilt: 10,
  },
  push: {
    hands: [
      [
        [38, 98],
        [58, 108],
        [82, 102],
      ],
      [
        [62, 98],
        [76, 112],
        [94, 106],
      ],
    ],
    feet: [
      [
        [42, 128],
        [28, 140],
        [12, 156],
      ],
      [
        [54, 128],
        [62, 142],
        [52, 156],
      ],
    ],
    tilt: 8,
  },
  sit: {
    hands: [
      [
        [34, 98],
        [26, 114],
        [42, 116],
      ],
      [
        [62, 98],
        [70, 114],
        [54, 116],
      ],
    ],
    feet: [
      [
        [40, 130],
        [18, 138],
        [34, 148],
      ],
      [
        [56, 130],
        [78, 138],
        [62, 148],
      ],
    ],
  },
} satisfies Record<string, Pose>

type PoseName = keyof typeof poses

function limb([from, bend, to]: Limb, cloth: string, width: number): string {
  const d = `M${from.join(' ')}Q${bend.join(' ')} ${to.join(' ')}`
  return line(d, palette.ink, width + 5) + line(d, cloth, width)
}

type Dress = {
  classId: number
  look: number
  pose: PoseName
  suit?: string
  held?: { weapon: number; turn: number; hand: 0 | 1; scale?: number }
}

function heldWeapon(dress: Dress, hands: [Limb, Limb]): string {
  if (dress.held === undefined) return ''
  const [x, y] = hands[dress.held.hand][2]
  const cloth = classCloth[dress.classId] ?? classCloth[0]
  return group(
    `translate(${x} ${y}) rotate(${dress.held.turn}) scale(${dress.held.scale ?? 0.8}) translate(0 -34)`,
    weaponOf(dress.held.weapon, cloth.band),
  )
}

export function ninja(x: number, y: number, scale: number, dress: Dress): string {
  const pose: Pose = poses[dress.pose]
  const suit = dress.suit ?? palette.coal
  const cloth = classCloth[dress.classId] ?? classCloth[0]
  const torso = 'M33 88C30 104 32 120 34 132C42 137 54 137 62 132C64 120 66 104 63 88Z'
  return at(
    x - 48 * scale,
    y - 160 * scale,
    scale,
    ...pose.feet.map((leg) => limb(leg, suit, 11)),
    ...pose.feet.map(([, , [fx, fy]]) => ellipse([fx, fy + 1], 9, 5.5, { fill: palette.ink })),
    group(
      `rotate(${pose.tilt ?? 0} 48 130)`,
      limb(pose.hands[0], suit, 9),
      heldWeapon(dress, pose.hands),
      path(torso, { fill: suit, stroke: palette.ink, 'stroke-width': 2.6 }),
      path('M33 118Q48 124 63 118L63.5 126Q48 132 32.5 126Z', {
        fill: cloth.band,
        stroke: palette.ink,
        'stroke-width': 2.2,
      }),
      limb(pose.hands[1], suit, 9),
      ...pose.hands.map(([, , [hx, hy]]) =>
        circle(hx, hy, 5.6, { fill: '#F1C8A0', stroke: palette.ink, 'stroke-width': 2.2 }),
      ),
      head(dress.classId, dress.look, { armed: dress.held === undefined && dress.pose !== 'sit' }),
    ),
  )
}

/** A ninja as a shadow, squatting on a ridge at (x, y), scarf in the wind; about 110 tall at scale 1. */
export function shadowNinja(
  x: number,
  y: number,
  scale: number,
  look: { body: string; scarf: string; shade?: string },
): string {
  const { body, scarf } = look
  return at(
    x,
    y,
    scale,
    path(
      'M12 -74C38 -94 58 -72 84 -86C102 -96 116 -90 130 -99C122 -78 104 -74 88 -70C62 -62 44 -72 14 -62Z',
      {
        fill: scarf,
      },
    ),
    path('M12 -68C34 -74 52 -58 74 -64C88 -68 98 -64 110 -69C99 -52 82 -52 70 -50C48 -48 34 -60 12 -58Z', {
      fill: look.shade ?? palette.ember,
    }),
    line('M46 -108L-36 -26', body, 4.5),
    line('M46 -108L62 -124', body, 7),
    line('M39 -115L53 -101', body, 4),
    line('M-2 -24L-31 -41L-30 -4M4 -24L33 -40L33 -4', body, 18),
    line('M-41 -4H-26M28 -4H45', body, 9),
    path(
      'M-21 -66C-12 -76 14 -76 22 -66C28 -50 25 -34 18 -18C10 -11 -8 -11 -18 -18C-26 -34 -28 -50 -21 -66Z',
      {
        fill: body,
      },
    ),
    line('M-18 -61C-32 -60 -41 -54 -41 -47L-32 -42M17 -58C22 -40 18 -22 5 -4', body, 11),
    line('M1 -3H10', body, 8),
    ellipse([0, -90], 26, 24, { fill: body }),
    path('M-25 -91Q0 -100 26 -93L25 -79Q0 -85 -24.5 -77Z', { fill: palette.peach }),
    polygon(
      [
        [-17, -89],
        [-5, -87],
        [-7, -82.5],
        [-14, -83],
      ],
      { fill: palette.ink },
    ),
    polygon(
      [
        [18, -90],
        [6, -87.5],
        [8, -83],
        [15, -84],
      ],
      { fill: palette.ink },
    ),
    path('M-25.5 -97Q0 -111 25.5 -99L26 -91Q0 -100 -26 -89Z', { fill: scarf }),
    path('M-21 -69Q0 -61 22 -69L21 -60Q0 -51 -22 -60Z', { fill: scarf }),
  )
}
