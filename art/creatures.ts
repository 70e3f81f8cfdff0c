/** Beasts of the game's world: the crow every guild hunts, the kitten every newcomer gets. */
import { at, circle, ellipse, faded, line, mirrored, palette, path, polygon } from './svg.ts'

function wing(body: string, sheen: string): string {
  const feathers =
    'M0 0C-40 -60 -110 -110 -220 -104C-206 -92 -206 -84 -212 -74C-190 -74 -186 -64 -194 -50C-172 -54 -164 -42 -172 -26C-150 -32 -140 -20 -148 -4C-126 -12 -116 2 -122 18C-100 6 -88 18 -92 34C-70 20 -56 30 -58 44C-36 34 -14 44 0 40Z'
  return (
    path(feathers, { fill: body }) +
    faded(
      0.55,
      line(
        'M-20 0C-60 -44 -116 -78 -190 -86M-22 12C-60 -18 -110 -42 -168 -48M-24 24C-54 4 -90 -10 -134 -14',
        sheen,
        4,
      ),
    )
  )
}

/** The Crow King with wings spread, centred at (x, y); about 440 wide at scale 1. */
export function crowKing(x: number, y: number, scale: number, look: { body: string; sheen: string }): string {
  const { body, sheen } = look
  const tail = polygon(
    [
      [-30, 66],
      [-46, 132],
      [-22, 116],
      [-8, 148],
      [4, 118],
      [20, 146],
      [30, 114],
      [50, 128],
      [30, 66],
    ],
    { fill: body },
  )
  const claw = (cx: number): string =>
    line(`M${cx} 84V112M${cx} 110L${cx - 12} 124M${cx} 110L${cx} 127M${cx} 110L${cx + 12} 124`, '#8F7A5F', 6)
  return at(
    x,
    y,
    scale,
    wing(body, sheen),
    mirrored(wing(body, sheen)),
    tail,
    claw(-18),
    claw(18),
    path('M-44 -10C-48 40 -34 84 0 94C34 84 48 40 44 -10C30 -40 -30 -40 -44 -10Z', { fill: body }),
    faded(0.5, line('M-22 40Q-14 52 -4 44M6 44Q14 54 24 42M-14 62Q-6 72 2 64M8 64Q14 70 20 62', sheen, 3.4)),
    path('M-38 -34C-40 -72 -18 -88 0 -88C18 -88 40 -72 38 -34C26 -16 -26 -16 -38 -34Z', { fill: body }),
    path('M-26 -80L-34 -108L-16 -92L-8 -116L2 -94L14 -114L18 -90L36 -104L28 -78Z', { fill: body }),
    path('M-16 -48C-14 -60 14 -60 16 -48C14 -34 8 -18 0 -4C-8 -18 -14 -34 -16 -48Z', {
      fill: '#D9A066',
      stroke: palette.ink,
      'stroke-width': 2.5,
    }),
    line('M-14 -42Q0 -34 14 -42', palette.ink, 2.5),
    polygon(
      [
        [-34, -64],
        [-12, -54],
        [-30, -48],
      ],
      { fill: palette.vermilion },
    ),
    polygon(
      [
        [34, -64],
        [12, -54],
        [30, -48],
      ],
      { fill: palette.vermilion },
    ),
    circle(-24, -55, 2.6, { fill: palette.cream }),
    circle(24, -55, 2.6, { fill: palette.cream }),
  )
}

/** A kitten with a ninja band, sitting at (x, y); about 100 tall at scale 1. */
export function kitten(x: number, y: number, scale: number): string {
  const edge = { stroke: palette.ink, 'stroke-width': 3, 'stroke-linejoin': 'round' } as const
  const fur = '#FFF8EC'
  return at(
    x,
    y,
    scale,
    line('M26 -10C50 -8 54 -34 42 -44', palette.ink, 13),
    line('M26 -10C50 -8 54 -34 42 -44', '#D98F52', 8),
    path('M-26 0C-30 -26 -20 -46 0 -46C20 -46 30 -26 26 0Z', { fill: fur, ...edge }),
    line('M-10 0V-16M10 0V-16', palette.ink, 3),
    path('M-34 -66L-34 -98L-14 -86Q0 -90 14 -86L34 -98L34 -66C38 -44 20 -36 0 -36C-20 -36 -38 -44 -34 -66Z', {
      fill: fur,
      ...edge,
    }),
    path('M14 -86L34 -98L34 -68C26 -72 18 -78 14 -86Z', { fill: '#D98F52' }),
    path('M-35 -78Q0 -88 35 -78L35 -68Q0 -78 -35 -68Z', { fill: palette.vermilion, ...edge }),
    path('M35 -76L52 -84L48 -72L54 -62L35 -68Z', { fill: palette.ember, ...edge }),
    ellipse([-15, -60], 4.4, 5.4, { fill: palette.ink }) + circle(-13.4, -62, 1.6, { fill: '#FFFFFF' }),
    ellipse([15, -60], 4.4, 5.4, { fill: palette.ink }) + circle(16.6, -62, 1.6, { fill: '#FFFFFF' }),
    path('M-3.5 -53H3.5L0 -49Z', { fill: palette.vermilion }),
    line(
      'M-7 -45Q-3 -43 0 -47Q3 -43 7 -45M-24 -50L-40 -53M-24 -46L-39 -44M24 -50L40 -53M24 -46L39 -44',
      palette.ink,
      2,
    ),
  )
}
