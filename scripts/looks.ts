import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { findChromium } from '#tests/support/chromium.ts'

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const
const SCHEMES = ['light', 'dark'] as const

export type Look = { size: keyof typeof SIZES; colorScheme: (typeof SCHEMES)[number] }

export const looks: Look[] = (['phone', 'desktop'] as const).flatMap((size) =>
  SCHEMES.map((colorScheme) => ({ size, colorScheme })),
)

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
  const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu']
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
