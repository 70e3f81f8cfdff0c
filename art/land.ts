/** Sky, mountains, plants: what lies behind everything. */
import {
  at,
  circle,
  dice,
  ellipse,
  faded,
  group,
  line,
  linear,
  palette,
  path,
  rect,
  round,
  smooth,
  tag,
} from './svg.ts'
import type { Box, Point } from './svg.ts'

type Size = { w: number; h: number }
type Mood = 'night' | 'red-night' | 'paper' | 'dawn' | 'snow' | 'deep'

const moods: Record<Mood, [number, string][]> = {
  night: [
    [0, '#121522'],
    [0.45, '#232840'],
    [0.75, '#474765'],
    [1, '#8A6C70'],
  ],
  'red-night': [
    [0, '#1A0F14'],
    [0.5, '#3B1A20'],
    [0.8, '#6E2A26'],
    [1, '#A6503A'],
  ],
  paper: [
    [0, palette.paper],
    [0.7, '#F6ECDC'],
    [1, '#EEDFC8'],
  ],
  dawn: [
    [0, '#F4D9C0'],
    [0.5, '#F9E7D3'],
    [1, palette.paper],
  ],
  snow: [
    [0, '#2B3047'],
    [0.55, '#5D647D'],
    [1, '#B9BBC7'],
  ],
  deep: [
    [0, '#1D1A22'],
    [0.6, '#2B2530'],
    [1, '#3A2F36'],
  ],
}

export function sky(size: Size, mood: Mood): string {
  const id = `sky-${mood}`
  return tag('defs', {}, linear(id, moods[mood])) + rect({ x: 0, y: 0, ...size }, { fill: `url(#${id})` })
}

export function stars(box: Box, count: number, seed = 3): string {
  const roll = dice(seed)
  const dots = Array.from({ length: count }, () => {
    const [x, y, size] = [box.x + roll() * box.w, box.y + roll() * box.h, roll()]
    return circle(x, y, 0.6 + size * 1.3, { fill: palette.paper, opacity: 0.35 + size * 0.6 })
  })
  return dots.join('')
}

export function moon(x: number, y: number, r: number, colour: string = palette.paper): string {
  const isRed = colour === palette.vermilion
  return [
    circle(x, y, r * 2.1, { fill: isRed ? 'url(#redlight)' : 'url(#moonlight)' }),
    circle(x, y, r, { fill: colour }),
    faded(
      isRed ? 0.28 : 0.5,
      ellipse([x - r * 0.3, y - r * 0.2], r * 0.26, r * 0.2, { fill: isRed ? palette.ember : palette.cream }),
      ellipse([x + r * 0.28, y + r * 0.3], r * 0.34, r * 0.22, {
        fill: isRed ? palette.ember : palette.cream,
      }),
      ellipse([x + r * 0.2, y - r * 0.45], r * 0.14, r * 0.11, {
        fill: isRed ? palette.ember : palette.cream,
      }),
    ),
  ].join('')
}

/** A far, rolling line of hills that fills everything below it. */
export function hills(size: Size, base: number, look: { rise: number; fill: string; seed: number }): string {
  const roll = dice(look.seed)
  const step = size.w / 9
  const crest = Array.from({ length: 11 }, (_, index): Point => [
    (index - 0.5) * step,
    base - roll() * look.rise,
  ])
  return path(`${smooth(crest)}L${size.w + step} ${size.h}L${-step} ${size.h}Z`, { fill: look.fill })
}

/** Steep limestone towers with round heads, standing in their own mist. */
export function karst(
  size: Size,
  base: number,
  look: { rise: number; fill: string; seed: number; count?: number },
): string {
  const roll = dice(look.seed)
  const count = look.count ?? 6
  const towers = Array.from({ length: count }, (_, index) => {
    const x = ((index + 0.2 + roll() * 0.6) * size.w) / count
    const width = (size.w / count) * (0.75 + roll() * 0.7)
    const top = base - look.rise * (0.45 + roll() * 0.55)
    const lean = (roll() - 0.5) * width * 0.3
    const shoulder = top + (base - top) * (0.3 + roll() * 0.2)
    const [left, right] = [x - width / 2, x + width / 2]
    const up = `M${round(left)} ${base}C${round(left + width * 0.16)} ${round(shoulder)} ${round(x - width * 0.22 + lean)} ${round(top)} ${round(x + lean)} ${round(top)}`
    return path(
      `${up}C${round(x + width * 0.2 + lean)} ${round(top)} ${round(right - width * 0.2)} ${round(shoulder)} ${round(right)} ${base}Z`,
      { fill: look.fill },
    )
  })
  return towers.join('') + rect({ x: 0, y: base - 1, w: size.w, h: size.h - base + 1 }, { fill: look.fill })
}

export function fog(size: Size, y: number, h: number, opacity = 1): string {
  return faded(opacity, rect({ x: 0, y, w: size.w, h }, { fill: 'url(#fog)' }))
}

/** A flat-bottomed drifting cloud made of round bars. */
export function cloud(x: number, y: number, scale: number, fill: string): string {
  const bars: Box[] = [
    { x: -60, y: 0, w: 150, h: 16, r: 8 },
    { x: -34, y: -14, w: 96, h: 18, r: 9 },
    { x: -96, y: 14, w: 120, h: 12, r: 6 },
    { x: 40, y: 12, w: 90, h: 11, r: 5.5 },
  ]
  return at(x, y, scale, ...bars.map((bar) => rect(bar, { fill })))
}

function leaf(x: number, y: number, look: { angle: number; length: number; fill: string }): string {
  const { angle, length, fill } = look
  const d = `M0 0C${length * 0.3} ${-length * 0.16} ${length * 0.7} ${-length * 0.12} ${length} 0C${length * 0.7} ${length * 0.07} ${length * 0.3} ${length * 0.1} 0 0Z`
  return group(`translate(${round(x)} ${round(y)}) rotate(${round(angle)})`, path(d, { fill }))
}

type Cane = {
  height: number
  width: number
  colour: string
  knot: string
  lean?: number
  seed?: number
}

/** One stem of bamboo growing up from (x, y), with leaves at some of its knots. */
export function bamboo(x: number, y: number, cane: Cane): string {
  const roll = dice(cane.seed ?? Math.round(x * 7 + y))
  const joints = Math.max(3, Math.round(cane.height / (cane.width * 4.6)))
  const part = cane.height / joints
  const pieces: string[] = []
  for (let index = 0; index < joints; index += 1) {
    const top = -part * (index + 1)
    pieces.push(
      rect(
        { x: -cane.width / 2, y: top + 1.5, w: cane.width, h: part - 2, r: cane.width * 0.22 },
        { fill: cane.colour },
      ),
    )
    pieces.push(
      rect(
        { x: -cane.width * 0.6, y: top - 0.5, w: cane.width * 1.2, h: Math.max(2, cane.width * 0.2), r: 1.5 },
        { fill: cane.knot },
      ),
    )
    if (index < 2 || roll() < 0.45) continue
    const side = roll() < 0.5 ? -1 : 1
    for (let count = 0; count < 3; count += 1) {
      const angle = side > 0 ? 10 + count * 28 - roll() * 30 : 170 - count * 28 + roll() * 30
      pieces.push(
        leaf((side * cane.width) / 2, top, {
          angle,
          length: cane.width * (2.6 + roll() * 1.6),
          fill: cane.colour,
        }),
      )
    }
  }
  return group(`translate(${round(x)} ${round(y)}) rotate(${cane.lean ?? 0})`, ...pieces)
}

/** A crooked pine with flat cushions of needles, growing up from (x, y). */
export function pine(
  x: number,
  y: number,
  scale: number,
  colours: { trunk: string; leaves: string; light?: string },
): string {
  const cushions: [number, number, number][] = [
    [-34, -70, 34],
    [30, -92, 38],
    [-8, -122, 32],
    [52, -62, 22],
    [-50, -44, 20],
  ]
  const light = colours.light
  return at(
    x,
    y,
    scale,
    line('M0 0C8 -26 -16 -40 -6 -64C0 -84 22 -82 12 -112', colours.trunk, 11),
    line('M-8 -44C-22 -48 -34 -50 -44 -44M4 -74C24 -70 36 -64 50 -64', colours.trunk, 6),
    ...cushions.map(([cx, cy, r]) => {
      const cushion = path(
        `M${cx - r} ${cy + 6}C${cx - r} ${cy - 8} ${cx - r * 0.5} ${cy - 14} ${cx - r * 0.3} ${cy - 12}C${cx - r * 0.1} ${cy - 22} ${cx + r * 0.4} ${cy - 22} ${cx + r * 0.5} ${cy - 11}C${cx + r} ${cy - 12} ${cx + r} ${cy + 2} ${cx + r} ${cy + 6}C${cx + r * 0.5} ${cy + 11} ${cx - r * 0.5} ${cy + 11} ${cx - r} ${cy + 6}Z`,
        { fill: colours.leaves },
      )
      return light === undefined
        ? cushion
        : cushion +
            faded(
              0.5,
              line(`M${cx - r * 0.5} ${cy - 4}Q${cx} ${cy - 14} ${cx + r * 0.4} ${cy - 5}`, light, 3),
            )
    }),
  )
}

/** Falling snow, petals or fireflies: small ellipses strewn over a box. */
export function strewn(
  box: Box,
  look: { count: number; fill: string; seed: number; size: number; flat?: number },
): string {
  const roll = dice(look.seed)
  return Array.from({ length: look.count }, () => {
    const [x, y] = [box.x + roll() * box.w, box.y + roll() * box.h]
    const r = look.size * (0.5 + roll())
    const turn = `rotate(${Math.round(roll() * 180)} ${round(x)} ${round(y)})`
    return ellipse([x, y], r, r * (look.flat ?? 1), {
      fill: look.fill,
      opacity: 0.5 + roll() * 0.5,
      transform: turn,
    })
  }).join('')
}
