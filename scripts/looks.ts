import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/chromium.ts'
import { endWithUsage, readOptions } from './tool-options.ts'

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

const touch = { hasTouch: true, isMobile: true }

/** `zoom` is what a desktop's window of 1280 × 800 has room for at 200 %. */
const SIZES = {
  small: { viewport: { width: 360, height: 640 }, ...touch },
  phone: { viewport: { width: 360, height: 740 }, ...touch },
  tablet: { viewport: { width: 768, height: 1024 }, ...touch },
  desktop: { viewport: { width: 1280, height: 800 } },
  zoom: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
} as const
const SCHEMES = ['light', 'dark'] as const

export type Look = { size: keyof typeof SIZES; colorScheme: (typeof SCHEMES)[number] }
type Chosen = { names: string[]; looks: Look[]; isScreenOnly: boolean }

const OPTIONS = `  --sizes=phone,tablet   ${Object.keys(SIZES).join(', ')}; phone and desktop when left out
  --schemes=dark         light, dark or both
  --screen               what is seen before anybody scrolls, in place of the whole page`

/** What the command line asks for; \`names\` are those that there are. */
export function chosenLooks(command: string, names: readonly string[]): Chosen {
  const usage = `${command}\n\nPictures in screenshots/, all of them unless some are named.\n${OPTIONS}\n\nNames: ${names.join(', ')}`
  const { values, words } = readOptions({
    usage,
    options: { sizes: 'text', schemes: 'text', screen: 'flag' },
    words: names,
  })
  const oneOrMoreOf = <Name extends string>(known: readonly Name[], asked: string): Name[] => {
    const unknown = asked.split(',').filter((name) => !known.some((one) => one === name))
    if (unknown.length > 0) endWithUsage(usage, `${unknown.join(', ')}: not one of ${known.join(', ')}.`)
    return known.filter((name) => asked.split(',').includes(name))
  }
  const sizes = oneOrMoreOf(Object.keys(SIZES) as Look['size'][], values.sizes ?? 'phone,desktop')
  const schemes = oneOrMoreOf(SCHEMES, values.schemes ?? SCHEMES.join(','))
  const looks = sizes.flatMap((size) => schemes.map((colorScheme) => ({ size, colorScheme })))
  return { names: words, looks, isScreenOnly: values.screen ?? false }
}

export const picturePath = (name: string, { size, colorScheme }: Look): string =>
  join(folder, `${name}.${size}.${colorScheme}.png`)

export const contextOf = ({ size, colorScheme }: Look): BrowserContextOptions => ({
  ...SIZES[size],
  colorScheme,
  locale: 'vi-VN',
  timezoneId: 'Asia/Ho_Chi_Minh',
  reducedMotion: 'reduce',
})

export async function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...CHROMIUM_FLAGS] : CHROMIUM_FLAGS
  return chromium.launch({ executablePath: await findChromium(), args: [...args, '--lang=vi'] })
}

/** What lies further down than anybody has scrolled is not loaded by itself. */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Pictures far down are put into the page when it is scrolled to them.
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo(0, top)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const pictures = [...document.querySelectorAll('img')]
    for (const picture of pictures) picture.loading = 'eager'
    // A picture that cannot be loaded is what there is to see.
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => null)))
    // Scrolled down, what sticks to the top of the screen would lie over the middle of the picture.
    scrollTo(0, 0)
  })
}
