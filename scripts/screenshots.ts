import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, request, type Browser, type Page } from '@playwright/test'
import { findChromium } from '#tests/support/chromium.ts'
import { Callers, openState, type PageState } from '#tests/support/page-states/page-state.ts'
import { accountStates } from '#tests/support/page-states/account-states.ts'
import { playerStates } from '#tests/support/page-states/player-states.ts'
import { claimStates } from '#tests/support/page-states/claim-states.ts'
import { purchaseStates } from '#tests/support/page-states/purchase-states.ts'
import { visitorStates } from '#tests/support/page-states/visitor-states.ts'
import { startPortalProcess } from '#tests/support/portal-process.ts'
import { buildIfNeeded } from './build.ts'

/**
 * `npm run screenshots [-- name …]`: every page, modal and state of a demo portal as a picture in `screenshots/`, on a
 * phone and on a desktop, light and dark, for people to look through. Names given leave out the others.
 */
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const
const SCHEMES = ['light', 'dark'] as const

type Look = { size: keyof typeof SIZES; colorScheme: (typeof SCHEMES)[number] }

const looks: Look[] = (['phone', 'desktop'] as const).flatMap((size) =>
  SCHEMES.map((colorScheme) => ({ size, colorScheme })),
)

type Sitting = { state: PageState; look: Look; url: string; callers: Callers }

async function take(browser: Browser, { state, look, url, callers }: Sitting): Promise<void> {
  const { size, colorScheme } = look
  const context = await browser.newContext({
    ...SIZES[size],
    baseURL: url,
    colorScheme,
    locale: 'vi-VN',
    timezoneId: 'Asia/Ho_Chi_Minh',
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await openState(page, state, callers)
    const isModal = (await page.locator('dialog[open]').count()) > 0
    if (!isModal) await loadPictures(page)
    await page.screenshot({
      path: join(folder, `${state.name}.${size}.${colorScheme}.png`),
      fullPage: !isModal,
      animations: 'disabled',
    })
  } finally {
    await context.close()
  }
}

/** What lies further down than anybody has scrolled is not loaded by itself. */
async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const pictures = [...document.querySelectorAll('img')]
    for (const picture of pictures) picture.loading = 'eager'
    // A picture that cannot be loaded is what there is to see.
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => null)))
    // Scrolled down, what sticks to the top of the screen would lie over the middle of the picture.
    scrollTo(0, 0)
  })
}

async function takeAll(browser: Browser, url: string, wanted: readonly PageState[]): Promise<number> {
  const calls = await request.newContext({ baseURL: url })
  const callers = new Callers(calls)
  let failures = 0
  for (const look of looks) {
    for (const state of wanted) {
      try {
        await take(browser, { state, look, url, callers })
      } catch (error) {
        failures += 1
        console.error(`${state.name}, ${look.size}, ${look.colorScheme}: ${String(error)}`)
      }
    }
  }
  await calls.dispose()
  return failures
}

const states = [...visitorStates, ...playerStates, ...accountStates, ...purchaseStates, ...claimStates]
const names = process.argv.slice(2)
const wanted = names.length > 0 ? states.filter(({ name }) => names.includes(name)) : states
const executablePath = await findChromium()
await buildIfNeeded()
await mkdir(folder, { recursive: true })
const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-screenshots-'))
const portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu']
const browser = await chromium.launch({ executablePath, args: [...args, '--lang=vi'] })
try {
  const failures = await takeAll(browser, portal.url, wanted)
  console.log(
    `${wanted.length * looks.length - failures} pictures in screenshots/, ${failures} could not be taken`,
  )
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await browser.close()
  await portal.end()
  await rm(dataDir, { recursive: true, force: true })
}
