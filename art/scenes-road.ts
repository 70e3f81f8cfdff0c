/** Covers of rest and travel. Each fills 640 × 360. */
import { ninja } from './figures.ts'
import { head } from './heads.ts'
import { fog, hills, moon, pine, sky, stars, strewn } from './land.ts'
import { campFire, cart, keyPhone, monitor, phone, teaCup } from './objects.ts'
import { daylight, sceneSize } from './scene.ts'
import { at, circle, faded, group, line, palette, path, polygon, rect } from './svg.ts'
import { lantern, roof } from './village.ts'

export function restScene(): string {
  return [
    daylight([436, 150, 82]),
    hills(sceneSize, 342, { rise: 26, fill: '#D3BF9F', seed: 3 }),
    pine(70, 336, 1.5, { trunk: '#3A312E', leaves: '#5E6B46', light: '#8C9A6A' }),
    rect({ x: 150, y: 286, w: 490, h: 16, r: 3 }, { fill: '#A97449' }),
    rect({ x: 150, y: 300, w: 490, h: 60 }, { fill: '#7C5133' }),
    faded(0.4, line('M230 302V360M330 302V360M430 302V360M530 302V360', palette.ink, 3)),
    rect({ x: 586, y: 60, w: 20, h: 228 }, { fill: '#7C5133' }),
    roof(600, 84, 360, { h: 70, fill: '#4A3A34', trim: palette.ember }),
    ninja(330, 300, 1.28, { classId: 4, look: 3, pose: 'sit' }),
    at(430, 290, 0.86, teaCup()),
    at(
      494,
      290,
      0.7,
      path('M-34 -4C-40 -44 40 -44 34 -4Q0 6 -34 -4Z', { fill: palette.coal }),
      line('M34 -26Q56 -30 60 -44', palette.coal, 8),
      line('M-22 -40Q0 -72 22 -40', palette.coal, 5),
    ),
    lantern(540, 92, 0.6, { glow: false }),
  ].join('')
}

export function devicesScene(): string {
  const tiny = (x: number, y: number, s: number, face: [number, number]): string => at(x, y, s, head(...face))
  return [
    daylight([330, 132, 96]),
    rect({ x: 0, y: 300, w: 640, h: 60 }, { fill: '#8A5A36' }),
    rect({ x: 0, y: 300, w: 640, h: 7 }, { fill: '#A97449' }),
    at(
      210,
      84,
      1.08,
      monitor(
        moon(184, 44, 22),
        hills({ w: 236, h: 138 }, 130, { rise: 50, fill: '#3D4160', seed: 6 }),
        tiny(58, 32, 1.08, [1, 1]),
        rect({ x: 0, y: 126, w: 240, h: 14 }, { fill: '#171A28' }),
      ),
    ),
    group('translate(96 96) rotate(-6)', keyPhone(tiny(12, 2, 0.78, [0, 1]))),
    group(
      'translate(500 96) rotate(7) scale(1.06)',
      phone(
        rect({ x: 0, y: 0, w: 100, h: 180, r: 6 }, { fill: palette.dusk }),
        moon(74, 32, 13),
        tiny(6, 52, 0.92, [4, 2]),
        rect({ x: 16, y: 150, w: 68, h: 18, r: 9 }, { fill: palette.vermilion }),
      ),
    ),
  ].join('')
}

export function escortScene(): string {
  const torch = (x: number, y: number): string =>
    at(
      x,
      y,
      1,
      circle(0, -46, 42, { fill: 'url(#glow)' }),
      line('M0 0V-36', '#70452A', 6),
      path('M-9 -36C-14 -52 0 -54 0 -68C12 -56 14 -46 9 -36Z', { fill: palette.vermilion }),
      path('M-4 -36C-6 -46 0 -48 1 -54C7 -48 7 -42 4 -36Z', { fill: palette.glow }),
    )
  return [
    sky(sceneSize, 'snow'),
    polygon(
      [
        [-40, 320],
        [90, 96],
        [170, 210],
        [250, 60],
        [380, 250],
        [470, 110],
        [700, 330],
      ],
      { fill: '#3B415C' },
    ),
    polygon(
      [
        [90, 96],
        [122, 142],
        [98, 150],
        [84, 136],
        [64, 142],
      ],
      { fill: '#E4E5EA' },
    ),
    polygon(
      [
        [250, 60],
        [290, 118],
        [262, 132],
        [242, 112],
        [222, 116],
      ],
      { fill: '#E4E5EA' },
    ),
    polygon(
      [
        [470, 110],
        [512, 150],
        [484, 160],
        [466, 146],
        [446, 152],
      ],
      { fill: '#E4E5EA' },
    ),
    fog(sceneSize, 150, 180, 0.7),
    hills(sceneSize, 300, { rise: 34, fill: '#B9BECB', seed: 13 }),
    pine(40, 316, 0.9, { trunk: '#2B2A33', leaves: '#3D4A4C', light: '#F4F4F6' }),
    pine(598, 306, 0.8, { trunk: '#2B2A33', leaves: '#3D4A4C', light: '#F4F4F6' }),
    path('M0 316Q320 296 640 318V360H0Z', { fill: '#EDEFF3' }),
    torch(150, 306),
    ninja(190, 334, 0.86, { classId: 5, look: 0, pose: 'push' }),
    at(356, 332, 1.1, cart()),
    ninja(480, 334, 0.86, { classId: 4, look: 2, pose: 'run' }),
    ninja(560, 340, 0.74, { classId: 2, look: 3, pose: 'ready' }),
    torch(96, 318),
    strewn({ x: 0, y: 0, w: 640, h: 340 }, { count: 70, fill: '#FFFFFF', seed: 33, size: 2.6 }),
  ].join('')
}

export function gatheringScene(): string {
  return [
    sky(sceneSize, 'night'),
    stars({ x: 0, y: 0, w: 640, h: 200 }, 60, 51),
    moon(110, 78, 38),
    hills(sceneSize, 280, { rise: 80, fill: '#23263A', seed: 61 }),
    pine(52, 320, 1.2, { trunk: '#10121C', leaves: '#171B28' }),
    pine(596, 318, 1.3, { trunk: '#10121C', leaves: '#171B28' }),
    path('M0 300Q320 276 640 300V360H0Z', { fill: '#1B1720' }),
    ninja(164, 322, 0.94, { classId: 2, look: 1, pose: 'sit' }),
    ninja(244, 306, 0.82, { classId: 4, look: 2, pose: 'sit' }),
    ninja(396, 306, 0.82, { classId: 6, look: 3, pose: 'sit' }),
    ninja(476, 322, 0.94, { classId: 1, look: 0, pose: 'sit' }),
    at(320, 330, 0.92, campFire()),
    strewn({ x: 270, y: 90, w: 100, h: 150 }, { count: 12, fill: palette.glow, seed: 71, size: 2.4 }),
  ].join('')
}
