/** `npm run images`: draws every picture of the portal and writes it to `public`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { covers, gamePictures } from './album.ts'
import { giftDrawings } from './gifts.ts'
import { defaultHeadDrawing, headDrawing } from './heads.ts'
import { heroDrawing, openGraphDrawing, shareGroundDrawing } from './hero.ts'
import {
  emptyScrollDrawing,
  faviconDrawing,
  iconDrawing,
  logoDrawing,
  lostNinjaDrawing,
  tcoinDrawing,
} from './marks.ts'
import { iosGuide } from './ios-guide.ts'
import { sceneSize } from './scene.ts'
import { drawing } from './svg.ts'
import { tournamentDrawings } from './tournaments.ts'
import { HEADS_PER_CLASS } from '#contract/characters.ts'
import { headOf } from '#seeds/heads.ts'

const publicDir = fileURLToPath(new URL('../public/', import.meta.url))
const classCount = 7
/** Of pictures with few colours and clear edges. */
const COVER_QUALITY = 45
let written = 0

async function save(name: string, bytes: Uint8Array | string): Promise<void> {
  const file = join(publicDir, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, bytes)
  written += 1
}

/** The drawing as pixels, drawn at least at the size it is wanted so that edges stay sharp. */
function pixels(svg: string, width: number, height?: number): Sharp {
  const drawn = Number(/width="(\d+)/.exec(svg)?.[1] ?? width)
  const density = Math.max(72, Math.ceil((72 * width) / drawn))
  return sharp(Buffer.from(svg), { density }).resize({ width, height, fit: 'cover' })
}

async function savePalette(name: string, svg: string, width: number, colours = 64): Promise<void> {
  await save(
    name,
    await pixels(svg, width).png({ palette: true, colours, effort: 10, compressionLevel: 9 }).toBuffer(),
  )
}

async function saveWebp(name: string, svg: string, width: number, quality: number): Promise<void> {
  await save(name, await pixels(svg, width).webp({ quality, effort: 6, smartSubsample: true }).toBuffer())
}

async function saveAvif(name: string, svg: string, width: number, quality: number): Promise<void> {
  await save(
    name,
    await pixels(svg, width).avif({ quality, effort: 9, chromaSubsampling: '4:2:0' }).toBuffer(),
  )
}

/** An .ico file is a list of pictures; one PNG of 32 × 32 is enough for the browsers that still ask for it. */
async function saveIco(name: string, svg: string): Promise<void> {
  const png = await pixels(svg, 32).png({ compressionLevel: 9 }).toBuffer()
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(32, 6)
  header.writeUInt8(32, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  await save(name, Buffer.concat([header, png]))
}

async function renderMarks(): Promise<void> {
  await savePalette('images/logo.png', logoDrawing({ text: '#7A6A62', accent: '#C8371F' }), 540)
  await save('images/logo.svg', logoForBothModes())
  await save('images/logo-dark.svg', logoDrawing({ text: '#F3E8D6', accent: '#E8593F' }))
  await save('favicon.svg', faviconDrawing())
  await saveIco('favicon.ico', faviconDrawing())
  await savePalette('icons/icon-192.png', iconDrawing(192, 0.86), 192)
  await savePalette('icons/icon-512.png', iconDrawing(512, 0.86), 512)
  await savePalette('icons/icon-maskable-512.png', iconDrawing(512, 0.66), 512)
  await savePalette('icons/apple-touch-icon.png', iconDrawing(180, 0.8), 180)
  await save('images/tcoin.svg', tcoinDrawing())
  await save('images/empty-scroll.svg', emptyScrollDrawing())
  await save('images/lost-ninja.svg', lostNinjaDrawing())
}

/** One file: the browser draws it in the colours of the page that shows it. */
function logoForBothModes(): string {
  const light = { text: '#7A6A62', accent: '#C8371F' }
  const dark = { text: '#F3E8D6', accent: '#E8593F' }
  const night = Object.entries(light).map(
    ([part, colour]) => `svg>[fill='${colour}']{fill:${dark[part as keyof typeof dark]}}`,
  )
  const style = `<style>@media(prefers-color-scheme:dark){${night.join('')}}</style>`
  return logoDrawing(light).replace('>', `>${style}`)
}

async function renderGifts(): Promise<void> {
  for (const [name, draw] of Object.entries(giftDrawings)) await save(`images/gifts/${name}.svg`, draw())
}

async function renderTournaments(): Promise<void> {
  for (const [name, draw] of Object.entries(tournamentDrawings))
    await save(`images/tournaments/${name}.svg`, draw())
}

async function renderHeads(): Promise<void> {
  await savePalette('images/heads/Small0.png', defaultHeadDrawing(), 96)
  for (let classId = 0; classId < classCount; classId += 1) {
    for (let look = 0; look < HEADS_PER_CLASS; look += 1) {
      await savePalette(`images/heads/Small${headOf(classId, look)}.png`, headDrawing(classId, look), 96)
    }
  }
}

async function renderHero(): Promise<void> {
  const hero = heroDrawing()
  for (const width of [480, 736, 960, 1600]) await saveAvif(`images/hero-${width}.avif`, hero, width, 43)
  await saveWebp('images/hero-960.webp', hero, 960, 82)
  await savePalette('images/og-default.png', openGraphDrawing(), 1200, 128)
  const ground = await pixels(shareGroundDrawing(), 1200).jpeg({ quality: 84, mozjpeg: true }).toBuffer()
  await save('images/share-ground.jpg', ground)
}

async function renderScenes(): Promise<void> {
  for (const [slug, scene] of Object.entries(covers)) {
    const svg = drawing(sceneSize, scene())
    for (const width of [320, 640]) {
      await saveWebp(`images/covers/${slug}-${width}.webp`, svg, width, COVER_QUALITY)
      await saveAvif(`images/covers/${slug}-${width}.avif`, svg, width, COVER_QUALITY)
    }
    const shared = await pixels(svg, 1200, 630).jpeg({ quality: 84, mozjpeg: true }).toBuffer()
    await save(`images/covers/${slug}-og.jpg`, shared)
  }
  for (const [name, scene] of Object.entries(gamePictures)) {
    const svg = drawing(sceneSize, scene())
    await saveWebp(`images/game/${name}-320.webp`, svg, 320, COVER_QUALITY)
    await saveWebp(`images/game/${name}-640.webp`, svg, 640, COVER_QUALITY)
  }
}

async function renderIosGuide(): Promise<void> {
  for (const [name, scene] of Object.entries(iosGuide)) {
    await saveWebp(`images/ios-guide/${name}.webp`, scene(), 480, 82)
  }
}

await renderIosGuide()
await renderMarks()
await renderGifts()
await renderTournaments()
await renderHeads()
await renderHero()
await renderScenes()
console.log(`${written} files drawn into public`)
