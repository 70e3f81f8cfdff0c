/** What every 640 × 360 scene starts from. */
import { cloud, fog, karst, sky } from './land.ts'
import { circle, faded, palette } from './svg.ts'

export const sceneSize = { w: 640, h: 360 }

/** Paper with a red sun and far towers: the ground of the daylight covers. */
export function daylight(sun: readonly [number, number, number]): string {
  return [
    sky(sceneSize, 'paper'),
    circle(...sun, { fill: palette.vermilion, opacity: 0.92 }),
    faded(0.55, karst(sceneSize, 292, { rise: 120, fill: '#D9C9B4', seed: 12, count: 7 })),
    fog(sceneSize, 190, 170, 1),
    cloud(110, 84, 0.7, '#EADBC4'),
    cloud(560, 132, 0.6, '#EADBC4'),
  ].join('')
}

/** Houses close by at night. */
export const townColours = { roof: '#16131A', wall: '#2B2229', trim: '#3A2D33', light: '#FFD0A0' }
