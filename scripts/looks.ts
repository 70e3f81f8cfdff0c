import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/chromium.ts'

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

/**
 * What the command line asks for: names of pages; `--sizes=phone,tablet` and `--schemes=dark` in place of phone and
 * desktop, light and dark; `--screen` for what is seen before anybody scrolls in place of the whole page.
 */
export function chosenLooks(commandLine: string[]): Chosen {
  const { values, positionals } = parseArgs({
    args: commandLine,
    allowPositionals: true,
    options: {
      sizes: { type: 'string', default: 'phone,desktop' },
      schemes: { type: 'string', default: SCHEMES.join(',') },
      screen: { type: 'boolean', default: false },
    },
  })
  const sizes = oneOrMoreOf(Object.keys(SIZES) as Look['size'][], values.sizes)
  const schemes = oneOrMoreOf(SCHEMES, values.schemes)
  const looks = sizes.flatMap((size) => schemes.map((colorScheme) => ({ size, colorScheme })))
  return { names: positionals, looks, isScreenOnly: values.screen }
}

function oneOrMoreOf<T extends string>(known: readonly T[], asked: string): T[] {
  const unknown = asked.split(',').filter((name) => !known.some((one) => one === name))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: not one of ${known.join(', ')}`)
  return known.filter((name) => asked.split(',').includes(name))
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
