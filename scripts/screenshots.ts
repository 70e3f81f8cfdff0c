import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { CHANNEL_VIETCOMBANK, HELLO_STORAGE_KEY, SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { seedPlayers } from '#seeds/players.ts'
import { findChromium } from '#tests/support/chromium.ts'
import { startPortalProcess } from '#tests/support/portal-process.ts'
import { buildIfNeeded } from './build.ts'

/**
 * `npm run screenshots [-- name …]`: every page and modal of a demo portal as a picture in `screenshots/`, on a phone and
 * on a desktop, light and dark, for people to look through. Names given leave out the others.
 */
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const
const SCHEMES = ['light', 'dark'] as const

type Shot = {
  name: string
  path: string
  player?: string
  isStranger?: boolean
  /** Opens what is to be seen. */
  prepare?: (page: Page) => Promise<void>
}

const main = (page: Page) => page.getByRole('main')

/** Brings out what lies wrong with a form: every field is touched and left empty. */
async function touchFields(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const field of await dialog.getByRole('textbox').all()) {
    await field.focus()
    await field.blur()
  }
}

async function chooseExchange(page: Page): Promise<void> {
  await page.getByRole('radio').first().check()
  await page.getByRole('radio', { name: /^10,000/ }).check()
}

const shots: Shot[] = [
  { name: 'home', path: '/home' },
  { name: 'home-player', path: '/home', player: 'hoangtuan' },
  { name: 'home-not-activated', path: '/home', player: 'giabao2k' },
  { name: 'home-banned', path: '/home', player: 'ducmanh99' },
  {
    name: 'splash',
    path: '/home',
    isStranger: true,
    prepare: (page) => page.getByRole('dialog').waitFor(),
  },
  {
    name: 'post',
    path: '/home',
    prepare: async (page) => {
      await main(page).locator('a[href^="/post/"]').first().click()
      await page.waitForURL(/\/post\//)
    },
  },
  {
    name: 'category',
    path: '/home',
    prepare: async (page) => {
      await main(page).locator('a[href^="/category/"]').first().click()
      await page.waitForURL(/\/category\//)
    },
  },
  { name: 'community', path: '/community' },
  { name: 'download', path: '/download' },
  { name: 'download-ios', path: '/download/ios' },
  { name: 'gem-calculator', path: '/gem-calculator' },
  { name: 'gem-calculator-filled', path: '/gem-calculator?from=2&to=9&gem=1500&server=100' },
  { name: 'tournaments', path: '/tournaments' },
  // Before its registration, running with a bracket, and over.
  ...[0, 3, 4].map((place) => ({
    name: `tournament-${place + 1}`,
    path: '/tournaments',
    prepare: async (page: Page) => {
      await main(page).locator('a[href^="/tournament/"]').nth(place).click()
      await page.waitForURL(/\/tournament\//)
    },
  })),
  { name: 'not-found', path: '/404' },
  { name: 'login', path: '/login', prepare: (page) => page.getByRole('dialog').waitFor() },
  {
    name: 'register-refused',
    path: '/register',
    prepare: async (page) => {
      await page.getByRole('dialog').waitFor()
      await touchFields(page)
    },
  },
  {
    name: 'activate',
    path: '/home',
    player: 'thuylinh',
    prepare: (page) => page.getByRole('button', { name: 'Kích hoạt' }).click(),
  },
  { name: 'exchange-visitor', path: '/exchange' },
  { name: 'exchange', path: '/exchange', player: 'hoangtuan', prepare: chooseExchange },
  { name: 'exchange-no-characters', path: '/exchange', player: 'quochung' },
  { name: 'exchange-missing-coins', path: '/exchange', player: 'minhchau', prepare: chooseExchange },
  {
    name: 'exchange-confirm',
    path: '/exchange',
    player: 'hoangtuan',
    prepare: async (page) => {
      await chooseExchange(page)
      await page.getByRole('button', { name: 'Đổi lượng' }).click()
    },
  },
  { name: 'gift', path: '/gift', player: 'ngocanh95' },
  {
    name: 'gift-confirm',
    path: '/gift',
    player: 'ngocanh95',
    prepare: async (page) => {
      await page.getByRole('radio').first().check()
      await page.getByRole('radio', { name: /^Gói 99,999/ }).check()
      await page.getByRole('button', { name: 'Mua gói quà' }).click()
    },
  },
  { name: 'ranking', path: '/ranking', player: 'hoangtuan' },
  { name: 'recharge', path: '/recharge', player: 'hoangtuan' },
  {
    name: 'order',
    path: '/recharge/:code',
    player: 'hoangtuan',
    prepare: (page) => page.getByRole('img', { name: /QR/ }).waitFor(),
  },
  { name: 'sandbox', path: '/sandbox', player: 'hoangtuan' },
  { name: 'profile', path: '/user/profile', player: 'hoangtuan' },
  { name: 'transactions', path: '/user/transactions', player: 'hoangtuan' },
  { name: 'transfer', path: '/user/transfer', player: 'hoangtuan' },
]

async function loginAs(url: string, username: string): Promise<string> {
  const { password } = seedPlayers.find((player) => player.username === username) ?? { password: '' }
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  if (!answer.ok) throw new Error(`${username} cannot log in: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** One for all its pictures: a player has only so many open ones. */
async function openOrder(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/api/recharge/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ channel: CHANNEL_VIETCOMBANK, amount: 50_000 }),
  })
  if (!answer.ok) throw new Error(`No order can be opened: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { code: string }).code
}

type Look = { size: keyof typeof SIZES; colorScheme: (typeof SCHEMES)[number] }

async function takeAll(browser: Browser, url: string, wanted: readonly Shot[]): Promise<number> {
  const tokens = new Map<string, string>()
  for (const { player } of wanted) {
    if (player && !tokens.has(player)) tokens.set(player, await loginAs(url, player))
  }
  const looks: Look[] = (['phone', 'desktop'] as const).flatMap((size) =>
    SCHEMES.map((colorScheme) => ({ size, colorScheme })),
  )
  const orderShot = wanted.find(({ path }) => path.includes(':code'))
  const code = orderShot ? await openOrder(url, tokens.get(orderShot.player ?? '') ?? '') : ''
  let failures = 0
  for (const look of looks) {
    for (const shot of wanted) {
      try {
        const path = shot.path.replace(':code', code)
        await take(browser, url, {
          shot: { ...shot, path },
          look,
          token: tokens.get(shot.player ?? '') ?? null,
        })
      } catch (error) {
        failures += 1
        console.error(`${shot.name}, ${look.size}, ${look.colorScheme}: ${String(error)}`)
      }
    }
  }
  return failures
}

type Sitting = { shot: Shot; look: Look; token: string | null }

async function take(browser: Browser, url: string, { shot, look, token }: Sitting): Promise<void> {
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
    const stored: [string, string][] = []
    if (token) stored.push([SESSION_STORAGE_KEY, JSON.stringify({ access_token: token })])
    if (!shot.isStranger) stored.push([HELLO_STORAGE_KEY, String(Date.now())])
    await page.addInitScript((entries) => {
      for (const [key, value] of entries) localStorage.setItem(key, value)
    }, stored)
    await page.goto(shot.path, { waitUntil: 'load' })
    await shot.prepare?.(page)
    // An order's stream never goes quiet; every other page is whole before the time is up.
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => null)
    // Scrolled down, what sticks to the top of the screen would lie over the middle of the picture.
    await page.evaluate(() => scrollTo(0, 0))
    const isModal = (await page.locator('dialog[open]').count()) > 0
    await page.screenshot({
      path: join(folder, `${shot.name}.${size}.${colorScheme}.png`),
      fullPage: !isModal,
      animations: 'disabled',
    })
  } finally {
    await context.close()
  }
}

const names = process.argv.slice(2)
const wanted = names.length > 0 ? shots.filter(({ name }) => names.includes(name)) : shots
const executablePath = await findChromium()
await buildIfNeeded()
await mkdir(folder, { recursive: true })
const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-screenshots-'))
const portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu']
const browser = await chromium.launch({ executablePath, args })
try {
  const failures = await takeAll(browser, portal.url, wanted)
  console.log(`${wanted.length * 4 - failures} pictures in screenshots/, ${failures} could not be taken`)
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await browser.close()
  await portal.end()
  await rm(dataDir, { recursive: true, force: true })
}
