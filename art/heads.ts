/** Chibi ninja heads, 96 × 96: one family, told apart by class (band, weapon, plate) and by look (hair, hood, hat). */
import { at, circle, ellipse, faded, group, line, palette, path, plainDrawing, rect, tag } from './svg.ts'
import { emblemOf, weaponOf } from './weapons.ts'

type Look = 'hood' | 'spikes' | 'bun' | 'hat'

const looks: Look[] = ['hood', 'spikes', 'bun', 'hat']

/** Band colour and a darker shade of it, by class. */
export const classCloth = [
  { band: '#B8A183', shade: '#8F7A5F', plate: '' },
  { band: '#D04427', shade: '#8E2413', plate: '#F3E8D6' },
  { band: '#3B69A8', shade: '#25436E', plate: '#F3E8D6' },
  { band: '#2C8573', shade: '#1B5549', plate: '#F3E8D6' },
  { band: '#8A9A35', shade: '#5B661F', plate: '#F3E8D6' },
  { band: '#8B4B92', shade: '#582C5E', plate: '#F3E8D6' },
  { band: '#EFE4CF', shade: '#B7A88E', plate: '#3A312E' },
] as const

const skins = ['#F6D2B0', '#EFC29A', '#F9DCC2', '#E0AC80']
const hairs = ['#2B2422', '#4A2F23', '#2B2422', '#6A625E']

const ink = palette.ink
const edge = { stroke: ink, 'stroke-width': 2.6, 'stroke-linejoin': 'round' } as const

type Person = {
  classId: number
  look: Look
  skin: string
  hair: string
  band: string
  shade: string
  plate: string
}

function person(classId: number, look: number): Person {
  const cloth = classCloth[classId] ?? classCloth[0]
  const shift = classId + look
  return {
    classId,
    look: looks[look % looks.length] ?? 'hood',
    skin: skins[shift % skins.length] ?? '#F6D2B0',
    hair: hairs[(look + classId * 3) % hairs.length] ?? ink,
    ...cloth,
  }
}

/** Weapon over the shoulder; the star and the kunai are small, so they come up beside the head instead. */
function backWeapon({ classId, shade, band }: Person): string {
  if (classId === 0) return ''
  const spots = [
    '',
    'translate(71 31) rotate(36) scale(.56)',
    'translate(77 20) rotate(20) scale(.34)',
    'translate(76 22) rotate(40) scale(.46)',
    'translate(66 34) rotate(-42) scale(.66)',
    'translate(67 33) rotate(30) scale(.56)',
    'translate(60 34) rotate(6) scale(.56)',
  ]
  return group(spots[classId] ?? '', weaponOf(classId, classId === 6 ? shade : band))
}

function knot({ band, shade }: Person): string {
  return [
    path('M18 44C8 40 3 45 2 52C8 49 13 50 20 50Z', { fill: band, ...edge }),
    path('M18 46C9 50 6 57 8 65C13 59 17 57 22 53Z', { fill: shade, ...edge }),
  ].join('')
}

function backHair({ look, hair, band, shade }: Person): string {
  if (look === 'spikes') {
    return path('M17 60L9 48L17 42L10 29L23 29L22 15L36 22L44 8L54 20L68 11L70 26L84 27L78 39L87 48L79 60Z', {
      fill: hair,
      ...edge,
    })
  }
  if (look === 'bun') {
    const buns = circle(48, 14, 10, { fill: hair, ...edge }) + line('M40 20Q48 25 56 20', band, 4.5)
    const locks = path('M17 48C14 66 17 76 22 82L32 74V44ZM79 48C82 66 79 76 74 82L64 74V44Z', {
      fill: hair,
      ...edge,
    })
    return buns + locks
  }
  if (look === 'hood')
    return path('M14 58C10 24 30 12 48 12C66 12 86 24 82 58C82 74 68 84 48 84C28 84 14 74 14 58Z', {
      fill: shade,
      ...edge,
    })
  return path('M18 50C14 68 20 80 48 82C76 80 82 68 78 50Z', { fill: hair, ...edge })
}

function frontHair({ look, hair }: Person): string {
  if (look === 'spikes')
    return path('M19 46C18 30 30 22 48 22C66 22 78 30 77 46L70 34L64 40L56 30L49 39L41 30L34 40L27 34Z', {
      fill: hair,
      ...edge,
    })
  if (look === 'bun')
    return path(
      'M18 50C15 28 30 19 48 19C66 19 81 28 78 50C74 40 66 36 56 32C50 40 30 40 24 42C21 44 19 46 18 50Z',
      { fill: hair, ...edge },
    )
  return ''
}

/** A hood leaves a slit for the eyes; what shows below is cloth, not skin. */
function hoodFront({ shade, band }: Person): string {
  const cloth =
    'M14 58C10 24 30 12 48 12C66 12 86 24 82 58C82 74 68 84 48 84C28 84 14 74 14 58ZM22 56C22 64 32 66 48 66C64 66 74 64 74 56C75 46 66 42 48 42C30 42 21 46 22 56Z'
  return [
    path(cloth, { fill: shade, 'fill-rule': 'evenodd', ...edge }),
    faded(0.35, path('M22 30C28 20 38 16 48 16C40 20 32 25 28 34Z', { fill: band })),
    faded(0.3, line('M30 74Q48 80 66 74', ink, 2.4)),
  ].join('')
}

function hat({ band }: Person): string {
  const straw = '#DDBE86'
  return [
    path('M48 5C54 14 76 30 92 39C90 44 84 45 78 44C60 39 36 39 18 44C12 45 6 44 4 39C20 30 42 14 48 5Z', {
      fill: straw,
      ...edge,
    }),
    faded(0.45, line('M48 9L32 37M48 9L64 37M48 9L48 38M46 12L18 40M50 12L78 40', '#9A7A45', 1.6)),
    line('M24 39Q48 33 72 39', band, 3.4),
  ].join('')
}

function headband(who: Person): string {
  const y = who.look === 'hood' ? 35 : 38
  const band = path(`M17 ${y + 4}Q48 ${y - 9} 79 ${y + 4}L80 ${y + 13}Q48 ${y} 16 ${y + 13}Z`, {
    fill: who.band,
    ...edge,
  })
  if (who.plate === '')
    return band + faded(0.5, line(`M30 ${y + 3}L33 ${y + 7}M60 ${y + 2}L63 ${y + 6}`, who.shade, 2))
  const sign = who.classId === 6 ? palette.paper : palette.ink
  return [
    band,
    rect({ x: 33, y: y - 6.5, w: 30, h: 16, r: 4 }, { fill: who.plate, ...edge }),
    at(48, y + 1.5, 0.15, emblemOf(who.classId, sign)),
  ].join('')
}

function eyes(classId: number, look: Look): string {
  const y = 56
  const brow =
    classId === 0 || look === 'bun' ? '' : line(`M30 ${y - 8}L41 ${y - 6}M66 ${y - 8}L55 ${y - 6}`, ink, 2.6)
  if (look === 'hat' && classId % 2 === 0)
    return line(`M30 ${y}Q36 ${y - 6} 42 ${y}M54 ${y}Q60 ${y - 6} 66 ${y}`, ink, 3)
  const eye = (x: number): string =>
    ellipse([x, y], 4.8, 6.2, { fill: ink }) +
    circle(x + 1.7, y - 2.4, 1.9, { fill: '#FFFFFF' }) +
    circle(x - 1.5, y + 2.6, 1, { fill: '#FFFFFF', opacity: 0.7 })
  const lashes = look === 'bun' ? line(`M29.5 ${y - 4}L27 ${y - 6}M66.5 ${y - 4}L69 ${y - 6}`, ink, 2.2) : ''
  return eye(36) + eye(60) + brow + lashes
}

function lowerFace({ look, classId, band, shade }: Person): string {
  if (look === 'hood') return ''
  const blush = [29, 67].map((x) => ellipse([x, 64], 4.2, 2.6, { fill: '#E8836A', opacity: 0.55 })).join('')
  if (look === 'bun' || classId === 0)
    return blush + line(classId % 3 === 0 ? 'M43 67Q48 72 53 67' : 'M44 68Q48 70 52 68', ink, 2.4)
  const cloth = look === 'spikes' ? shade : band
  return [
    path('M20.5 61Q48 68 75.5 61C74 75 63 81 48 81C33 81 22 75 20.5 61Z', { fill: cloth, ...edge }),
    faded(0.35, line('M34 72Q48 76 62 72', ink, 2)),
  ].join('')
}

function scarf({ band, shade }: Person): string {
  return [
    path('M22 80C30 74 66 74 74 80C78 85 76 91 70 92C58 95 38 95 26 92C20 91 18 85 22 80Z', {
      fill: band,
      ...edge,
    }),
    faded(0.6, line('M30 86Q48 91 66 86', shade, 2.4)),
  ].join('')
}

/** The head alone, in its 96 × 96 box: used for the pictures and on the figures of the scenes. */
export function head(classId: number, look: number, { armed = true } = {}): string {
  const who = person(classId, look)
  const face = ellipse([48, 56], 30, 27, { fill: who.skin, ...edge })
  const top = who.look === 'hood' ? hoodFront(who) : frontHair(who)
  return [
    armed ? backWeapon(who) : '',
    knot(who),
    backHair(who),
    scarf(who),
    face,
    lowerFace(who),
    eyes(classId, who.look),
    top,
    who.look === 'hat' ? hat(who) : headband(who),
    who.look === 'hat' && who.plate !== '' ? at(48, 29, 0.13, emblemOf(classId, palette.ink)) : '',
  ].join('')
}

/** A thin paper rim, like a sticker's, so that dark hair still has an edge on a dark page. */
function sticker(...body: string[]): string {
  const rim = [
    '<filter id="rim" x="-5%" y="-5%" width="110%" height="110%">',
    '<feMorphology in="SourceAlpha" operator="dilate" radius="1.4" result="wide"/>',
    `<feFlood flood-color="${palette.cream}"/><feComposite in2="wide" operator="in"/>`,
    '<feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>',
  ].join('')
  return plainDrawing({ w: 96, h: 96 }, rim, tag('g', { filter: 'url(#rim)' }, ...body))
}

export function headDrawing(classId: number, look: number): string {
  return sticker(head(classId, look))
}

/** Who is not known yet: a shadow with two eyes. */
export function defaultHeadDrawing(): string {
  const coal = palette.coal
  return sticker(
    path('M18 50C8 46 4 50 2 58C9 54 14 54 20 56Z', { fill: palette.smoke, ...edge }),
    path('M22 80C30 74 66 74 74 80C78 85 76 91 70 92C58 95 38 95 26 92C20 91 18 85 22 80Z', {
      fill: palette.smoke,
      ...edge,
    }),
    path('M14 58C10 24 30 12 48 12C66 12 86 24 82 58C82 74 68 84 48 84C28 84 14 74 14 58Z', {
      fill: coal,
      ...edge,
    }),
    path('M22 56C22 64 32 66 48 66C64 66 74 64 74 56C75 46 66 42 48 42C30 42 21 46 22 56Z', {
      fill: palette.ash,
      ...edge,
    }),
    faded(0.5, path('M22 30C28 20 38 16 48 16C40 20 32 25 28 34Z', { fill: palette.smoke })),
    ...[36, 60].map(
      (x) => ellipse([x, 55], 4.6, 6, { fill: ink }) + circle(x + 1.6, 52.6, 1.8, { fill: '#FFFFFF' }),
    ),
  )
}
