import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/chromium.ts'
import { buildIfNeeded } from './build.ts'
import { endWithUsage, readOptions } from './tool-options.ts'

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

const touch = { hasTouch: true, isMobile: true }
const phone = { viewport: { width: 360, height: 740 }, ...touch }

/** `letters` is a phone whose owner reads letters of 130 %, `zoom` what a desktop's window of 1280 × 800 has room for at 200 %. */
const SIZES = {
  small: { viewport: { width: 360, height: 640 }, ...touch },
  phone,
  letters: phone,
  tablet: { viewport: { width: 768, height: 1024 }, ...touch },
  desktop: { viewport: { width: 1280, height: 800 } },
  zoom: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
} as const
const SCHEMES = ['light', 'dark'] as const

/** A size of the screen and a colour scheme. */
type Variant = { size: keyof typeof SIZES; colorScheme: (typeof SCHEMES)[number] }
type Chosen = { names: string[]; variants: Variant[]; isScreenOnly: boolean }

const OPTIONS = `  --sizes=phone,tablet   ${Object.keys(SIZES).join(', ')}; phone and desktop when left out
  --schemes=dark         light, dark or both
  --screen               what is seen before anybody scrolls, in place of the whole page`

/** The options of the command line; `names` are those that exist. */
function readChoice(command: string, names: readonly string[]): Chosen {
  const usage = `${command}\n\nPictures in screenshots/, all of them unless some are named.\n${OPTIONS}\n\nNames: ${names.join(', ')}`
  const { values, words } = readOptions({
    usage,
    options: { sizes: 'text', schemes: 'text', screen: 'flag' },
    words: names,
  })
  const oneOrMoreOf = <Name extends string>(known: readonly Name[], given: string): Name[] => {
    const unknown = given.split(',').filter((name) => !known.some((one) => one === name))
    if (unknown.length > 0) endWithUsage(usage, `${unknown.join(', ')}: not one of ${known.join(', ')}.`)
    return known.filter((name) => given.split(',').includes(name))
  }
  const sizes = oneOrMoreOf(Object.keys(SIZES) as Variant['size'][], values.sizes ?? 'phone,desktop')
  const schemes = oneOrMoreOf(SCHEMES, values.schemes ?? SCHEMES.join(','))
  return { names: words, variants: variantsOf(sizes, schemes), isScreenOnly: values.screen ?? false }
}

/** Every given size in every given colour scheme. */
export const variantsOf = (
  sizes: readonly Variant['size'][],
  schemes: readonly Variant['colorScheme'][] = SCHEMES,
): Variant[] => sizes.flatMap((size) => schemes.map((colorScheme) => ({ size, colorScheme })))

const picturePath = (name: string, { size, colorScheme }: Variant): string =>
  join(folder, `${name}.${size}.${colorScheme}.png`)

export const contextOf = ({ size, colorScheme }: Variant): BrowserContextOptions => ({
  ...SIZES[size],
  colorScheme,
  locale: 'vi-VN',
  timezoneId: 'Asia/Ho_Chi_Minh',
  reducedMotion: 'reduce',
})

export async function openBrowser(size?: Variant['size']): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...CHROMIUM_FLAGS] : [...CHROMIUM_FLAGS]
  if (size === 'letters') args.push('--blink-settings=defaultFontSize=21,defaultFixedFontSize=17')
  return chromium.launch({ executablePath: await findChromium(), args: [...args, '--lang=vi'] })
}

/** Loads the pictures further down, which a browser loads only when somebody scrolls to them. */
async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
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

type Screenshots<State> = {
  command: string
  states: readonly State[]
  prefix?: string
  /** Done once for the states to take; returns what opens one of them. */
  prepare(
    portal: PortalProcess,
    states: readonly State[],
  ): Promise<(page: Page, state: State) => Promise<unknown>>
}

/** Pictures of states of a demo portal in `screenshots/`, each in every variant. */
export async function takeScreenshots<State extends { name: string }>({
  command,
  states,
  prefix = '',
  prepare,
}: Screenshots<State>): Promise<void> {
  const { names, variants, isScreenOnly } = readChoice(
    command,
    states.map(({ name }) => name),
  )
  const chosen = states.filter(({ name }) => names.length === 0 || names.includes(name))
  await buildIfNeeded()
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-screenshots-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  const portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
  cleanup.defer(async () => void (await portal.end()))
  const open = await prepare(portal, chosen)
  let failures = 0
  for (const variant of variants) {
    const browser = await openBrowser(variant.size)
    for (const state of chosen) {
      const context = await browser.newContext({ ...contextOf(variant), baseURL: portal.url })
      context.setDefaultTimeout(15_000)
      try {
        const page = await context.newPage()
        await open(page, state)
        const fullPage = !isScreenOnly && (await page.locator('dialog[open]').count()) === 0
        if (fullPage) await loadPictures(page)
        const path = picturePath(prefix + state.name, variant)
        await page.screenshot({ path, fullPage, animations: 'disabled' })
      } catch (error) {
        failures += 1
        console.error(`${state.name}, ${variant.size}, ${variant.colorScheme}: ${String(error)}`)
      } finally {
        await context.close()
      }
    }
    await browser.close()
  }
  const taken = chosen.length * variants.length - failures
  console.log(`${taken} pictures in screenshots/, ${failures} could not be taken`)
  process.exitCode = failures > 0 ? 1 : 0
}
