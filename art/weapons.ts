/** The six classes' weapons, each drawn point up around the origin, about 100 units long. */
import { circle, group, line, palette, path, polygon, rect } from './svg.ts'
import type { Point } from './svg.ts'

const steel = '#AEB4C0'
const shine = '#E9ECF1'
const wood = '#8A5A36'

type Cloth = { wrap: string; edge: string }

function edged(edge: string): { stroke: string; 'stroke-width': number; 'stroke-linejoin': 'round' } {
  return { stroke: edge, 'stroke-width': 3, 'stroke-linejoin': 'round' }
}

function sword({ wrap, edge }: Cloth): string {
  return [
    polygon(
      [
        [0, -56],
        [6, -46],
        [6, 18],
        [-6, 18],
        [-6, -46],
      ],
      { fill: steel, ...edged(edge) },
    ),
    polygon(
      [
        [0, -52],
        [0, 17],
        [-4.5, 17],
        [-4.5, -45],
      ],
      { fill: shine },
    ),
    rect({ x: -4.5, y: 22, w: 9, h: 26, r: 3 }, { fill: wrap, ...edged(edge) }),
    line('M-4 30L4 34M-4 38L4 42', edge, 2),
    rect({ x: -15, y: 16, w: 30, h: 7, r: 3.5 }, { fill: wood, ...edged(edge) }),
  ].join('')
}

function throwingStar({ wrap, edge }: Cloth): string {
  const corners = Array.from({ length: 8 }, (_, index): Point => {
    const angle = (index * Math.PI) / 4
    const reach = index % 2 === 0 ? 50 : 17
    return [Math.sin(angle) * reach, -Math.cos(angle) * reach]
  })
  const facets = [0, 2, 4, 6].map((index) =>
    polygon([corners[index] ?? [0, 0], corners[index + 1] ?? [0, 0], [0, 0]], { fill: shine }),
  )
  return [
    polygon(corners, { fill: steel, ...edged(edge) }),
    ...facets,
    circle(0, 0, 9, { fill: wrap, stroke: edge, 'stroke-width': 3 }),
  ].join('')
}

function kunai({ wrap, edge }: Cloth): string {
  return [
    circle(0, 46, 9, { fill: 'none', stroke: edge, 'stroke-width': 8 }),
    circle(0, 46, 9, { fill: 'none', stroke: steel, 'stroke-width': 3 }),
    polygon(
      [
        [0, -54],
        [15, -8],
        [0, 12],
        [-15, -8],
      ],
      { fill: steel, ...edged(edge) },
    ),
    polygon(
      [
        [0, -49],
        [0, 9],
        [-12, -8],
      ],
      { fill: shine },
    ),
    rect({ x: -4.5, y: 8, w: 9, h: 30, r: 2 }, { fill: wrap, ...edged(edge) }),
    line('M-4 16L4 20M-4 24L4 28', edge, 2),
  ].join('')
}

function bow({ wrap, edge }: Cloth): string {
  const arc = 'M-12 -54C-2 -50 20 -30 22 0C20 30 -2 50 -12 54'
  return [
    line('M-12 -54L-12 54', edge, 2),
    line(arc, edge, 11),
    line(arc, wood, 6),
    line('M21 -11L21 11', edge, 13),
    line('M21 -10L21 10', wrap, 8),
    line('M-38 0L40 0', edge, 4),
    polygon(
      [
        [54, 0],
        [36, -8],
        [36, 8],
      ],
      { fill: steel, ...edged(edge) },
    ),
    polygon(
      [
        [-46, -9],
        [-32, -3],
        [-32, 3],
        [-46, 9],
        [-40, 0],
      ],
      { fill: wrap, ...edged(edge) },
    ),
  ].join('')
}

function blade({ wrap, edge }: Cloth): string {
  return [
    path('M-7 20C-10 -8 -14 -36 12 -58C24 -38 20 -6 10 20Z', { fill: steel, ...edged(edge) }),
    path('M-4 18C-6 -8 -9 -32 9 -51C6 -30 4 -6 3 18Z', { fill: shine }),
    rect({ x: -4.5, y: 22, w: 9, h: 24, r: 3 }, { fill: wrap, ...edged(edge) }),
    path('M-16 18Q1 10 18 18Q20 24 14 25Q1 20 -12 25Q-18 24 -16 18Z', { fill: wood, ...edged(edge) }),
    circle(0, 50, 5.5, { fill: wrap, ...edged(edge) }),
  ].join('')
}

function scythe({ wrap, edge }: Cloth): string {
  const links = Array.from({ length: 4 }, (_, index) =>
    circle(8 + index * 9, 50 - index * index * 1.6, 4, { fill: 'none', stroke: edge, 'stroke-width': 2.6 }),
  )
  return [
    ...links,
    line('M0 48L0 -40', edge, 11),
    line('M0 47L0 -40', wood, 6),
    path('M-9 -42C12 -62 46 -52 54 -10C36 -32 14 -34 -7 -24Z', { fill: steel, ...edged(edge) }),
    path('M-6 -40C14 -57 40 -48 50 -20C34 -38 14 -40 -4 -33Z', { fill: shine }),
    line('M0 16L0 40', edge, 12),
    line('M0 17L0 39', wrap, 7),
  ].join('')
}

const forge = [undefined, sword, throwingStar, kunai, bow, blade, scythe]

/** Nothing for class 0, who has not chosen a weapon yet. */
export function weaponOf(classId: number, wrap: string, edge: string = palette.ink): string {
  return forge[classId]?.({ wrap, edge }) ?? ''
}

/** The weapon as a one-colour sign, small enough for a forehead plate or a banner. */
export function emblemOf(classId: number, colour: string): string {
  const signs = [
    '',
    line('M0 -46L0 22M-20 22L20 22M0 22L0 46', colour, 13),
    path('M0 -50L14 -14L50 0L14 14L0 50L-14 14L-50 0L-14 -14ZM0 -9A9 9 0 1 0 .1 -9Z', {
      fill: colour,
      'fill-rule': 'evenodd',
    }),
    path('M0 -52L20 -4L6 14V26A13 13 0 1 1 -6 26V14L-20 -4Z', { fill: colour }),
    line('M-14 -46Q44 0 -14 46M-44 0L44 0M26 -16L44 0L26 16', colour, 11),
    path('M-10 22C-16 -16 -10 -40 18 -52C28 -22 22 4 10 22H24V34H6V50H-6V34H-24V22Z', { fill: colour }),
    group(
      'translate(-8 0)',
      line('M-8 48L-8 -36', colour, 13),
      path('M-16 -44C16 -64 50 -44 54 0C34 -26 10 -28 -14 -18Z', { fill: colour }),
    ),
  ]
  return signs[classId] ?? ''
}
