/** The night village above the fold, and the picture a shared link shows. The left third stays calm for words. */
import { shadowNinja } from './figures.ts'
import { lettering } from '#server/platform/pictures/lettering.ts'
import { cloud, fog, hills, karst, moon, sky, stars } from './land.ts'
import { seal } from './marks.ts'
import { at, drawing, faded, line, palette, path } from './svg.ts'
import { gate, house, lanternRope, pagoda, roof } from './village.ts'

const far = { roof: '#2A2C40', wall: '#363850', trim: '#3E415C', light: '#E9B98C' }
const mid = { roof: '#1D1E2E', wall: '#2B2B3E', trim: '#3A3A52', light: '#F6C795' }
const near = { roof: '#12121C', wall: '#201D28', trim: '#2C2A3A', light: '#FFD9A8' }

type Size = { w: number; h: number }

function backdrop(size: Size, moonAt: readonly [number, number, number]): string {
  const { w, h } = size
  return [
    sky(size, 'night'),
    stars({ x: 0, y: 0, w, h: h * 0.5 }, 70),
    moon(...moonAt),
    faded(
      0.2,
      cloud(moonAt[0] - 210, moonAt[1] + 46, 1.5, palette.paper),
      cloud(moonAt[0] + 230, moonAt[1] - 20, 1.2, palette.paper),
    ),
    karst(size, h * 0.7, { rise: h * 0.36, fill: '#3C3F5A', seed: 15, count: 9 }),
    fog(size, h * 0.42, h * 0.3, 0.35),
    karst(size, h * 0.78, { rise: h * 0.3, fill: '#2E3048', seed: 35, count: 7 }),
    fog(size, h * 0.56, h * 0.24, 0.4),
  ].join('')
}

/** Rows of roofs, the nearer the darker and larger. Widths and places are chosen, not rolled: this is a composition. */
function village(size: Size): string {
  const { w, h } = size
  const row = (y: number, look: typeof far, houses: [number, number, number][]): string =>
    houses
      .map(([x, width, windows]) => house(x * w, y, width * (w / 1600), { ...look, windows, glow: true }))
      .join('')
  return [
    hills(size, h * 0.82, { rise: h * 0.08, fill: '#25263A', seed: 4 }),
    pagoda(w * 0.5, h * 0.8, w * 0.1, { ...far, tiers: 4 }),
    row(h * 0.83, far, [
      [0.09, 120, 2],
      [0.2, 96, 1],
      [0.31, 130, 2],
      [0.4, 100, 2],
      [0.6, 130, 2],
      [0.69, 104, 1],
      [0.9, 120, 2],
    ]),
    fog(size, h * 0.68, h * 0.2, 0.22),
    row(h * 0.93, mid, [
      [0.03, 210, 2],
      [0.15, 180, 2],
      [0.36, 220, 3],
      [0.47, 170, 2],
      [0.63, 200, 2],
      [0.97, 240, 3],
    ]),
    gate(w * 0.255, h * 0.95, w * 0.1, {
      post: '#7A2A1E',
      roof: near.roof,
      beam: '#8E2413',
      sign: '#3A1A16',
    }),
    row(h * 1.02, near, [
      [0.1, 270, 3],
      [0.4, 250, 3],
      [0.56, 280, 3],
    ]),
  ].join('')
}

function foreground(size: Size): string {
  const { w, h } = size
  const ridgeY = h * 0.8
  const body = '#0C0C14'
  return [
    lanternRope([w * 0.02, h * 0.66], [w * 0.27, h * 0.74], {
      count: 5,
      sag: h * 0.07,
      scale: w / 2700,
      rope: body,
    }),
    lanternRope([w * 0.44, h * 0.7], [w * 0.68, h * 0.66], {
      count: 4,
      sag: h * 0.06,
      scale: w / 2700,
      rope: body,
    }),
    roof(w * 0.8, h * 1.06, w * 0.5, { h: h * 0.26, fill: body, trim: '#232232' }),
    faded(
      0.5,
      ...[0.68, 0.74, 0.8, 0.86, 0.92].map((fx) =>
        line(`M${w * (0.8 + (fx - 0.8) * 0.62)} ${h * 0.82}L${w * fx} ${h * 1.06}`, '#1E1E2C', 3),
      ),
    ),
    shadowNinja(w * 0.795, ridgeY - h * 0.005, h / 300, { body, scarf: palette.vermilion }),
    path(`M0 ${h * 0.985}Q${w * 0.3} ${h * 0.955} ${w * 0.62} ${h * 1.0}V${h}H0Z`, { fill: body }),
  ].join('')
}

export function heroDrawing(): string {
  const size = { w: 1600, h: 700 }
  return drawing(size, backdrop(size, [1262, 262, 178]), village(size), foreground(size))
}

export function openGraphDrawing(): string {
  const size = { w: 1200, h: 630 }
  const name = lettering('Tinh Hoa Ninja', { x: 84, y: 230, size: 92, weight: 800, tracking: -1.5 })
  const words = lettering('Cổng tin tức, nạp TCoin và đổi lượng', { x: 88, y: 300, size: 33, weight: 500 })
  return drawing(
    size,
    backdrop(size, [945, 232, 150]),
    village(size),
    foreground(size),
    at(88, 66, 0.78, seal(100)),
    path(name.d, { fill: palette.paper }),
    path(words.d, { fill: palette.peach }),
  )
}

/** The village without words: the ground of a shared post's picture when the post has no cover. */
export function shareGroundDrawing(): string {
  const size = { w: 1200, h: 630 }
  return drawing(size, backdrop(size, [945, 232, 150]), village(size), foreground(size))
}
