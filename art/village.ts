/** Houses, gates, lanterns: what people built. All stand on (x, y) and grow upward. */
import { at, circle, ellipse, faded, line, palette, path, rect, round } from './svg.ts'
import type { Point } from './svg.ts'

/** A tiled roof with upturned eaves: `w` from tip to tip, its lower edge at y. */
export function roof(
  x: number,
  y: number,
  w: number,
  look: { h: number; fill: string; trim?: string },
): string {
  const { h, fill } = look
  const p = (fx: number, fy: number): string => `${round(x + fx * w)} ${round(y - fy * h)}`
  const shape = `M${p(-0.5, 0.34)}C${p(-0.38, 0.18)} ${p(-0.27, 0.42)} ${p(-0.21, 1)}L${p(0.21, 1)}C${p(0.27, 0.42)} ${p(0.38, 0.18)} ${p(0.5, 0.34)}C${p(0.47, 0.1)} ${p(0.44, 0.02)} ${p(0.36, 0)}L${p(-0.36, 0)}C${p(-0.44, 0.02)} ${p(-0.47, 0.1)} ${p(-0.5, 0.34)}Z`
  const trim = look.trim ?? fill
  const ridge = line(
    `M${p(-0.23, 1.06)}Q${p(-0.2, 0.98)} ${p(-0.15, 1)}L${p(0.15, 1)}Q${p(0.2, 0.98)} ${p(0.23, 1.06)}`,
    trim,
    Math.max(2, h * 0.1),
  )
  const eaves =
    look.trim === undefined
      ? ''
      : line(
          `M${p(-0.45, 0.08)}Q${p(-0.42, 0.03)} ${p(-0.36, 0.03)}L${p(0.36, 0.03)}Q${p(0.42, 0.03)} ${p(0.45, 0.08)}`,
          trim,
          Math.max(1.4, h * 0.06),
        )
  return path(shape, { fill }) + eaves + ridge
}

type Walls = { roof: string; wall: string; trim?: string; light?: string }

function litWindow(x: number, y: number, w: number, look: { h: number; light: string; bar: string }): string {
  const { h, light, bar } = look
  return [
    rect({ x: x - w / 2, y, w, h, r: 1 }, { fill: light }),
    line(
      `M${round(x)} ${round(y)}V${round(y + h)}M${round(x - w / 2)} ${round(y + h / 2)}H${round(x + w / 2)}`,
      bar,
      Math.max(1, w * 0.08),
    ),
  ].join('')
}

/** One storey with its roof. `w` is the width of the roof. */
export function house(
  x: number,
  y: number,
  w: number,
  look: Walls & { windows?: number; glow?: boolean },
): string {
  const wallH = w * 0.3
  const wallW = w * 0.66
  const light = look.light ?? palette.peach
  const count = look.windows ?? 2
  const windows = Array.from({ length: count }, (_, index) => {
    const wx = x - wallW / 2 + (wallW * (index + 0.5)) / count
    return litWindow(wx, y - wallH * 0.72, (wallW / count) * 0.5, { h: wallH * 0.42, light, bar: look.wall })
  })
  return [
    rect({ x: x - wallW / 2, y: y - wallH, w: wallW, h: wallH }, { fill: look.wall }),
    look.glow === true ? circle(x, y - wallH * 0.5, wallW * 0.6, { fill: 'url(#glow)', opacity: 0.5 }) : '',
    ...windows,
    roof(x, y - wallH * 0.9, w, { h: w * 0.26, fill: look.roof, trim: look.trim }),
  ].join('')
}

/** A tower of ever smaller storeys. */
export function pagoda(x: number, y: number, w: number, look: Walls & { tiers: number }): string {
  const parts: string[] = []
  let width = w
  let base = y
  for (let tier = 0; tier < look.tiers; tier += 1) {
    parts.push(house(x, base, width, { ...look, windows: tier === 0 ? 3 : 2 }))
    base -= width * 0.3 * 0.9 + width * 0.26 * 0.72
    width *= 0.78
  }
  parts.push(
    line(
      `M${round(x)} ${round(base + 4)}V${round(base - w * 0.16)}`,
      look.trim ?? look.roof,
      Math.max(2, w * 0.025),
    ),
  )
  parts.push(circle(x, base - w * 0.08, w * 0.028, { fill: look.trim ?? look.roof }))
  return parts.join('')
}

/** The village gate: two round posts, a beam, a roof. */
export function gate(
  x: number,
  y: number,
  w: number,
  look: { post: string; roof: string; beam: string; sign?: string },
): string {
  const h = w * 0.72
  const post = (px: number): string =>
    rect({ x: px - w * 0.045, y: y - h, w: w * 0.09, h }, { fill: look.post }) +
    rect({ x: px - w * 0.065, y: y - w * 0.06, w: w * 0.13, h: w * 0.06, r: 2 }, { fill: look.beam })
  return [
    post(x - w * 0.34),
    post(x + w * 0.34),
    rect({ x: x - w * 0.46, y: y - h * 0.76, w: w * 0.92, h: w * 0.055, r: 2 }, { fill: look.beam }),
    rect(
      { x: x - w * 0.11, y: y - h * 0.95, w: w * 0.22, h: w * 0.16, r: 3 },
      { fill: look.sign ?? look.beam },
    ),
    roof(x, y - h * 0.94, w * 1.16, { h: w * 0.26, fill: look.roof, trim: look.beam }),
  ].join('')
}

/** A paper lantern hanging from (x, y); about 40 × 60 at scale 1. */
export function lantern(
  x: number,
  y: number,
  scale: number,
  look: { glow?: boolean; fill?: string } = {},
): string {
  const fill = look.fill ?? palette.vermilion
  return at(
    x,
    y,
    scale,
    look.glow === false ? '' : circle(0, 26, 58, { fill: 'url(#glow)' }),
    line('M0 -8V4', palette.ink, 2),
    ellipse([0, 26], 20, 22, { fill }),
    ellipse([0, 26], 11, 22, { fill: palette.glow, opacity: 0.55 }),
    ellipse([0, 26], 4, 22, { fill: palette.cream, opacity: 0.6 }),
    faded(0.35, line('M-17 15Q0 20 17 15M-20 26Q0 31 20 26M-17 37Q0 42 17 37', palette.ember, 1.6)),
    rect({ x: -9, y: 1, w: 18, h: 6, r: 2 }, { fill: palette.ink }),
    rect({ x: -9, y: 45, w: 18, h: 5, r: 2 }, { fill: palette.ink }),
    line('M0 50V66M-3.5 51V61M3.5 51V61', fill, 1.8),
  )
}

/** Lanterns on a slack rope between two points. */
export function lanternRope(
  from: Point,
  to: Point,
  look: { count: number; sag: number; scale: number; rope?: string },
): string {
  const middle: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 + look.sag * 2]
  const on = (t: number, axis: 0 | 1): number =>
    (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * middle[axis] + t ** 2 * to[axis]
  const rope = line(`M${from.join(' ')}Q${middle.join(' ')} ${to.join(' ')}`, look.rope ?? palette.ink, 2)
  const hung = Array.from({ length: look.count }, (_, index) => {
    const t = (index + 1) / (look.count + 1)
    return lantern(on(t, 0), on(t, 1) + 6 * look.scale, look.scale)
  })
  return rope + hung.join('')
}

/** A market stall with a striped awning and a counter, about 200 wide at scale 1. */
export function stall(
  x: number,
  y: number,
  scale: number,
  look: { cloth: string; pale: string; wood: string; goods: string },
): string {
  const stripe = (index: number): string => {
    const left = -100 + index * 25
    const top = -72 + index * 18
    const scallop = `M${top} -150L${left} -108Q${left + 12.5} -92 ${left + 25} -108L${top + 18} -150Z`
    return path(scallop, { fill: index % 2 === 0 ? look.cloth : look.pale })
  }
  return at(
    x,
    y,
    scale,
    rect({ x: -88, y: -118, w: 176, h: 118 }, { fill: palette.ink, opacity: 0.55 }),
    circle(0, -70, 90, { fill: 'url(#glow)' }),
    rect({ x: -90, y: -126, w: 9, h: 126 }, { fill: look.wood }),
    rect({ x: 81, y: -126, w: 9, h: 126 }, { fill: look.wood }),
    look.goods,
    rect({ x: -98, y: -46, w: 196, h: 10, r: 2 }, { fill: look.wood }),
    rect({ x: -92, y: -38, w: 184, h: 38 }, { fill: look.wood }),
    faded(0.35, line('M-60 -36V0M-30 -36V0M0 -36V0M30 -36V0M60 -36V0', palette.ink, 2)),
    ...Array.from({ length: 8 }, (_, index) => stripe(index)),
  )
}
