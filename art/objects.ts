/** Things one can hold, each drawn around the origin unless said otherwise. */
import { at, circle, dice, ellipse, faded, group, line, palette, path, polygon, rect, tag } from './svg.ts'
import { emblemOf } from './weapons.ts'

const ink = palette.ink
const edge = { stroke: ink, 'stroke-width': 3.4, 'stroke-linejoin': 'round' } as const

/** The TCoin: gold, round, a throwing star cut into it. 80 across. */
export function coin(turn = 1): string {
  return group(
    `scale(${turn} 1)`,
    circle(0, 3, 40, { fill: palette.goldDeep, ...edge }),
    circle(0, 0, 40, { fill: palette.gold, ...edge }),
    circle(0, 0, 31, { fill: '#F2C65A', stroke: palette.goldDeep, 'stroke-width': 2.6 }),
    at(0, 0, 0.44, emblemOf(2, palette.goldDeep)),
    faded(0.7, line('M-33 -12A35 35 0 0 1 -12 -33', '#FFF1C9', 4)),
  )
}

export function coinStack(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const y = -index * 15
    const shift = (index % 2) * 5 - 2
    return [
      path(`M${-38 + shift} ${y}V${y - 12}H${38 + shift}V${y}A38 13 0 0 1 ${-38 + shift} ${y}Z`, {
        fill: palette.goldDeep,
        ...edge,
      }),
      ellipse([shift, y - 12], 38, 13, { fill: palette.gold, ...edge }),
      ellipse([shift, y - 12], 26, 8, { fill: '#F2C65A' }),
    ].join('')
  }).join('')
}

/** A picture of a code, not a code: finder squares and rolled dots that no reader accepts. Corner at the origin. */
export function codePattern(size: number): string {
  const roll = dice(11)
  const cells = 21
  const cell = size / cells
  const inFinder = (x: number, y: number): boolean =>
    (x < 8 && y < 8) || (x > 12 && y < 8) || (x < 8 && y > 12)
  const dots: string[] = []
  for (let y = 0; y < cells; y += 1) {
    for (let x = 0; x < cells; x += 1) {
      const inHeart = x > 7 && x < 13 && y > 7 && y < 13
      if (inFinder(x, y) || inHeart || roll() < 0.52) continue
      dots.push(
        `M${(x * cell).toFixed(1)} ${(y * cell).toFixed(1)}h${cell.toFixed(1)}v${cell.toFixed(1)}h-${cell.toFixed(1)}z`,
      )
    }
  }
  const finder = (x: number, y: number): string =>
    rect({ x: x * cell, y: y * cell, w: 7 * cell, h: 7 * cell, r: cell }, { fill: ink }) +
    rect(
      { x: (x + 1) * cell, y: (y + 1) * cell, w: 5 * cell, h: 5 * cell, r: cell * 0.6 },
      { fill: palette.paper },
    ) +
    rect(
      { x: (x + 2) * cell, y: (y + 2) * cell, w: 3 * cell, h: 3 * cell, r: cell * 0.4 },
      { fill: palette.vermilion },
    )
  return path(dots.join(''), { fill: ink }) + finder(0, 0) + finder(14, 0) + finder(0, 14)
}

/** A hanging scroll, its paper `w` × `h` with the top left corner at the origin. */
export function hangingScroll(w: number, h: number, ...inside: string[]): string {
  const rod = (y: number): string =>
    rect({ x: -16, y, w: w + 32, h: 16, r: 8 }, { fill: palette.ember, ...edge }) +
    rect({ x: -24, y: y + 2, w: 12, h: 12, r: 5 }, { fill: ink }) +
    rect({ x: w + 12, y: y + 2, w: 12, h: 12, r: 5 }, { fill: ink })
  return [
    line(`M${w * 0.2} -10L${w / 2} -44L${w * 0.8} -10`, ink, 3),
    rect({ x: 0, y: 0, w, h }, { fill: palette.paper, ...edge }),
    rect({ x: 9, y: 12, w: w - 18, h: h - 24 }, { fill: 'none', stroke: palette.sand, 'stroke-width': 3 }),
    ...inside,
    rod(-12),
    rod(h - 4),
  ].join('')
}

/** A stamp with a carved foot, standing on y = 0. */
export function stamp(): string {
  return [
    path(
      'M-17 -128C-26 -150 -16 -166 0 -166C16 -166 26 -150 17 -128C12 -110 14 -92 24 -78L-24 -78C-14 -92 -12 -110 -17 -128Z',
      { fill: '#8A5A36', ...edge },
    ),
    faded(0.4, line('M-9 -148C-12 -136 -4 -124 -6 -108', '#E2B48A', 5)),
    rect({ x: -44, y: -80, w: 88, h: 42, r: 7 }, { fill: '#70452A', ...edge }),
    rect({ x: -50, y: -42, w: 100, h: 34, r: 4 }, { fill: palette.vermilion, ...edge }),
    rect({ x: -50, y: -12, w: 100, h: 12, r: 3 }, { fill: palette.ember, ...edge }),
  ].join('')
}

/** A drawstring purse of brocade, standing on y = 0. */
export function purse(): string {
  return [
    path('M-34 -108C-84 -78 -98 -6 -62 0H62C98 -6 84 -78 34 -108Z', { fill: palette.vermilion, ...edge }),
    path('M-34 -108C-52 -132 -40 -140 -24 -130C-12 -144 12 -144 24 -130C40 -140 52 -132 34 -108Z', {
      fill: palette.ember,
      ...edge,
    }),
    rect({ x: -42, y: -116, w: 84, h: 15, r: 7 }, { fill: palette.peach, ...edge }),
    faded(
      0.55,
      line(
        'M-58 -40Q-44 -56 -30 -40T-2 -40T26 -40T54 -40M-64 -18Q-48 -34 -32 -18T0 -18T32 -18T64 -18',
        palette.peach,
        4,
      ),
    ),
    at(0, -66, 0.3, emblemOf(2, palette.peach)),
    line('M36 -106C60 -100 62 -84 56 -72M38 -104C70 -106 76 -92 74 -80', palette.peach, 4.5),
  ].join('')
}

/** A closed gift box with a bow, standing on y = 0. */
export function giftBox(): string {
  return [
    rect({ x: -80, y: -100, w: 160, h: 100, r: 5 }, { fill: palette.cream, ...edge }),
    faded(0.5, ...[-60, -32, 32, 60].map((x) => line(`M${x} -62V-12`, palette.sand, 3))),
    rect({ x: -15, y: -100, w: 30, h: 100 }, { fill: palette.vermilion, ...edge }),
    rect({ x: -90, y: -128, w: 180, h: 36, r: 6 }, { fill: palette.peach, ...edge }),
    rect({ x: -17, y: -128, w: 34, h: 36 }, { fill: palette.vermilion, ...edge }),
    path('M0 -128C-30 -176 -82 -166 -62 -136C-50 -122 -20 -124 0 -128Z', {
      fill: palette.vermilion,
      ...edge,
    }),
    path('M0 -128C30 -176 82 -166 62 -136C50 -122 20 -124 0 -128Z', { fill: palette.vermilion, ...edge }),
    circle(0, -132, 13, { fill: palette.ember, ...edge }),
  ].join('')
}

/** A cut gem about 90 tall. */
export function gem(fill: string, light: string): string {
  return [
    circle(0, 0, 96, { fill: 'url(#moonlight)', opacity: 0.8 }),
    polygon(
      [
        [-26, -46],
        [26, -46],
        [46, -18],
        [0, 52],
        [-46, -18],
      ],
      { fill, ...edge },
    ),
    polygon(
      [
        [-26, -46],
        [-14, -18],
        [-46, -18],
      ],
      { fill: light, opacity: 0.75 },
    ),
    polygon(
      [
        [-26, -46],
        [26, -46],
        [14, -18],
        [-14, -18],
      ],
      { fill: light, opacity: 0.45 },
    ),
    polygon(
      [
        [-46, -18],
        [-14, -18],
        [0, 52],
      ],
      { fill: light, opacity: 0.25 },
    ),
    line('M-46 -18H46M-26 -46L-14 -18L0 52L14 -18L26 -46', ink, 2),
    line('M58 -52V-36M50 -44H66', palette.paper, 3),
  ].join('')
}

/** A round-shouldered shield with a lock on it, about 190 tall. */
export function shield(): string {
  const body = 'M0 -96C28 -80 56 -76 80 -76C84 -10 66 58 0 98C-66 58 -84 -10 -80 -76C-56 -76 -28 -80 0 -96Z'
  return [
    path(body, { fill: palette.vermilion, ...edge }),
    group('scale(.84)', path(body, { fill: palette.ember })),
    path('M0 -81C24 -67 47 -64 67 -64C71 -8 56 48 0 82Z', { fill: '#7A2013' }),
    line('M-22 -10V-26C-22 -54 22 -54 22 -26V-10', ink, 18),
    line('M-22 -10V-26C-22 -54 22 -54 22 -26V-10', palette.cream, 10),
    rect({ x: -38, y: -14, w: 76, h: 58, r: 9 }, { fill: palette.cream, ...edge }),
    circle(0, 10, 9, { fill: ink }),
    path('M-5 10H5L8 32H-8Z', { fill: ink }),
  ].join('')
}

/** A telephone with its screen's content drawn inside a 100 × 180 box, corner at the origin. */
export function phone(...screen: string[]): string {
  return [
    rect({ x: -8, y: -14, w: 116, h: 208, r: 16 }, { fill: ink, ...edge }),
    rect({ x: 0, y: 0, w: 100, h: 180, r: 6 }, { fill: palette.cream }),
    rect({ x: 34, y: -9, w: 32, h: 4, r: 2 }, { fill: palette.smoke }),
    ...screen,
  ].join('')
}

/** An old telephone with keys; its screen is the 84 × 84 box at (8, 0). */
export function keyPhone(...screen: string[]): string {
  const keys = Array.from({ length: 12 }, (_, index) =>
    rect(
      { x: 10 + (index % 3) * 28, y: 122 + Math.floor(index / 3) * 19, w: 24, h: 13, r: 5 },
      { fill: palette.sand, stroke: ink, 'stroke-width': 2 },
    ),
  )
  return [
    rect({ x: -6, y: -16, w: 112, h: 222, r: 22 }, { fill: '#4A5A78', ...edge }),
    rect({ x: 8, y: 0, w: 84, h: 84, r: 5 }, { fill: palette.peach, ...edge }),
    ...screen,
    rect({ x: 34, y: 94, w: 32, h: 20, r: 9 }, { fill: palette.cream, stroke: ink, 'stroke-width': 2.4 }),
    ...keys,
  ].join('')
}

/** A desktop screen; its content is the 240 × 140 box at the origin. */
export function monitor(...screen: string[]): string {
  return [
    path('M96 160H144L152 200H88Z', { fill: palette.smoke, ...edge }),
    rect({ x: 60, y: 196, w: 120, h: 12, r: 6 }, { fill: palette.coal, ...edge }),
    rect({ x: -12, y: -12, w: 264, h: 172, r: 12 }, { fill: palette.coal, ...edge }),
    rect({ x: 0, y: 0, w: 240, h: 140, r: 3 }, { fill: palette.dusk }),
    '<clipPath id="screen"><rect width="240" height="140" rx="3"/></clipPath>',
    tag('g', { 'clip-path': 'url(#screen)' }, ...screen),
  ].join('')
}

export function teaCup(): string {
  return [
    faded(0.6, line('M-8 -50C-16 -62 0 -68 -8 -82M8 -50C0 -64 16 -68 8 -86', palette.ash, 4)),
    path('M-28 -42H28C28 -14 18 0 0 0C-18 0 -28 -14 -28 -42Z', { fill: palette.paper, ...edge }),
    ellipse([0, -42], 28, 7, { fill: '#8A9A35', ...edge }),
    line('M-18 -24Q-10 -16 0 -24T18 -24', palette.vermilion, 3),
  ].join('')
}

/** A camp fire on y = 0. */
export function campFire(): string {
  return [
    circle(0, -40, 190, { fill: 'url(#glow)' }),
    line('M-46 -4L40 -22M46 -4L-40 -22', ink, 19),
    line('M-46 -4L40 -22M46 -4L-40 -22', '#70452A', 12),
    path('M-34 -18C-50 -56 -20 -66 -18 -104C2 -90 8 -76 8 -64C16 -70 18 -80 16 -90C42 -66 46 -40 32 -18Z', {
      fill: palette.vermilion,
    }),
    path('M-20 -18C-28 -44 -8 -52 -6 -76C10 -62 12 -50 12 -44C18 -48 20 -52 20 -58C32 -40 30 -28 20 -18Z', {
      fill: palette.glow,
    }),
    path('M-9 -18C-12 -32 -2 -38 0 -50C10 -40 14 -28 9 -18Z', { fill: palette.cream }),
  ].join('')
}

/** A handcart of sacks seen from the side, wheels on y = 0, about 190 wide. */
export function cart(): string {
  const wheel = [0, 45, 90, 135].map((turn) => group(`rotate(${turn})`, line('M-28 0H28', ink, 4))).join('')
  return [
    line('M-96 -50L-150 -62', ink, 11),
    line('M-96 -50L-150 -62', '#8A5A36', 6),
    path('M-66 -60C-86 -64 -84 -102 -56 -104C-28 -106 -20 -70 -34 -60Z', { fill: palette.cream, ...edge }),
    path('M-26 -60C-44 -72 -34 -116 -2 -116C30 -116 38 -74 20 -60Z', { fill: palette.sand, ...edge }),
    path('M26 -60C14 -70 22 -104 48 -104C76 -104 82 -68 68 -60Z', { fill: palette.cream, ...edge }),
    at(-2, -88, 0.2, emblemOf(2, palette.vermilion)),
    path('M-100 -62H94L84 -34H-90Z', { fill: '#8A5A36', ...edge }),
    faded(0.5, line('M-92 -50H88', ink, 2.4)),
    at(
      0,
      -30,
      1,
      circle(0, 0, 30, { fill: '#B98A5E', ...edge }),
      circle(0, 0, 21, { fill: palette.coal }),
      wheel,
      circle(0, 0, 8, { fill: '#8A5A36', ...edge }),
    ),
  ].join('')
}
