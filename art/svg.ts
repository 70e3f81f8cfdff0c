/** Ink, paper and vermilion: the only colours the drawings know. Gold is for TCoin alone. */
export const palette = {
  paper: '#FBF7F0',
  cream: '#F3E8D6',
  sand: '#DFCDB2',
  ash: '#A3948A',
  smoke: '#6B5D57',
  coal: '#3A312E',
  ink: '#1F1A17',
  night: '#151826',
  dusk: '#262B42',
  haze: '#454A66',
  mist: '#7C7F98',
  vermilion: '#C8371F',
  ember: '#8E2413',
  glow: '#FFB374',
  peach: '#F7D3AE',
  gold: '#E2A72B',
  goldDeep: '#A8710F',
  moss: '#5E6B46',
  pine: '#2F3B33',
} as const

export type Point = readonly [x: number, y: number]

/** A repeatable stream of numbers in [0, 1): the same seed draws the same tree every time. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** `<tag a="1">body</tag>`; attributes that are undefined are left out. */
export function tag(
  name: string,
  attributes: Record<string, string | number | undefined>,
  ...body: string[]
): string {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : value}"`)
    .join('')
  return body.length === 0 ? `<${name}${text}/>` : `<${name}${text}>${body.join('')}</${name}>`
}

type Paint = {
  fill?: string
  stroke?: string
  'stroke-width'?: number
  opacity?: number
  transform?: string
  'stroke-linecap'?: 'round' | 'butt'
  'stroke-linejoin'?: 'round' | 'miter'
  'fill-rule'?: 'evenodd'
  'clip-path'?: string
  'stroke-dasharray'?: string
}

export function path(d: string, paint: Paint): string {
  return tag('path', { d, ...paint })
}

/** A brush line: round ends, no fill. */
export function line(d: string, colour: string, width: number): string {
  const round = { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } as const
  return path(d, { fill: 'none', stroke: colour, 'stroke-width': width, ...round })
}

export function circle(cx: number, cy: number, r: number, paint: Paint): string {
  return tag('circle', { cx, cy, r, ...paint })
}

export function ellipse(at: Point, rx: number, ry: number, paint: Paint): string {
  return tag('ellipse', { cx: at[0], cy: at[1], rx, ry, ...paint })
}

export type Box = { x: number; y: number; w: number; h: number; r?: number }

export function rect(box: Box, paint: Paint): string {
  return tag('rect', { x: box.x, y: box.y, width: box.w, height: box.h, rx: box.r, ...paint })
}

export function polygon(points: Point[], paint: Paint): string {
  return tag('polygon', { points: points.map(([x, y]) => `${round(x)},${round(y)}`).join(' '), ...paint })
}

export function group(transform: string, ...body: string[]): string {
  return tag('g', { transform }, ...body)
}

export function at(x: number, y: number, scale = 1, ...body: string[]): string {
  return group(`translate(${round(x)} ${round(y)}) scale(${scale})`, ...body)
}

/** The same drawing looking the other way, around x = 0. */
export function mirrored(...body: string[]): string {
  return group('scale(-1 1)', ...body)
}

export function faded(opacity: number, ...body: string[]): string {
  return tag('g', { opacity: String(opacity) }, ...body)
}

/** A smooth curve through all points (Catmull–Rom turned into Béziers). */
export function smooth(points: Point[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  let d = `M${round(first[0])} ${round(first[1])}`
  rest.forEach((to, index) => {
    const from = points[index] ?? to
    const before = points[index - 1] ?? from
    const after = points[index + 2] ?? to
    const c1: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
    const c2: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
    d += `C${[...c1, ...c2, ...to].map(round).join(' ')}`
  })
  return d
}

type Stop = readonly [offset: number, colour: string, opacity?: number]

function stops(list: Stop[]): string {
  return list
    .map(([offset, colour, opacity]) =>
      tag('stop', {
        offset: String(offset),
        'stop-color': colour,
        'stop-opacity': opacity === undefined ? undefined : String(opacity),
      }),
    )
    .join('')
}

/** Top to bottom. */
export function linear(id: string, list: Stop[]): string {
  return tag('linearGradient', { id, x1: 0, y1: 0, x2: 0, y2: 1 }, stops(list))
}

function radial(id: string, list: Stop[]): string {
  return tag('radialGradient', { id }, stops(list))
}

type Size = { w: number; h: number }

/** A drawing served as it is, without the shared gradients: every byte travels to a phone. */
export function plainDrawing(size: Size, ...body: string[]): string {
  const frame = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: size.w,
    height: size.h,
    viewBox: `0 0 ${size.w} ${size.h}`,
  }
  return tag('svg', frame, ...body)
}

/** A whole drawing. Every one carries the same few gradients, so that parts may rely on them. */
export function drawing(size: Size, ...body: string[]): string {
  const shared = [
    radial('glow', [
      [0, palette.glow, 0.85],
      [0.45, palette.glow, 0.25],
      [1, palette.glow, 0],
    ]),
    radial('moonlight', [
      [0, palette.paper, 0.5],
      [0.5, palette.paper, 0.14],
      [1, palette.paper, 0],
    ]),
    radial('redlight', [
      [0, palette.vermilion, 0.6],
      [0.55, palette.vermilion, 0.16],
      [1, palette.vermilion, 0],
    ]),
    linear('fog', [
      [0, palette.paper, 0],
      [0.55, palette.paper, 0.5],
      [1, palette.paper, 0],
    ]),
  ].join('')
  return plainDrawing(size, tag('defs', {}, shared), ...body)
}
