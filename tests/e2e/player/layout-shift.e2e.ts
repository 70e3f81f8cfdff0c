import type { APIRequestContext, Page } from '@playwright/test'
import { type PageAccess, type PageEntry, pages } from '#contract/pages.ts'
import { seedPlayers } from '#seeds/players.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { changing } from '#tests/support/page-states/page-state.ts'
import { delivery } from '#tests/support/page-states/receipt-states.ts'
import { expect, loginByCall, order, signIn, test } from './fixtures.ts'
import { endStreams, settled, watchShifts } from './measures.ts'

const CLS_MAX = 0.02
/** Less than one line more or less moves what is below it. */
const CLS_OF_A_FONT_MAX = 0.005

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

// Each page is opened as on a first visit and waited for until nothing more comes.
test.setTimeout(240_000)

const ANSWER_DELAY_MS = 250
/** As on a machine that is busy. */
const LATE_MS = 4_000

/** As on a phone's network: the page is painted long before it is known who is signed in. */
test.beforeEach(({ page }) =>
  page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_DELAY_MS))
    await route.continue()
  }),
)

/** Pages that can be opened without naming a thing. */
const plain = (access: PageAccess) =>
  Object.values<PageEntry>(pages)
    .filter((page) => page.access === access)
    .map(({ path }) => path.replace(/\/:\w+\?$/, ''))
    .filter((path) => !/[:*]/.test(path))

const openPages = [
  // A visitor's first sight of the demo's own page has its styles late.
  ...plain('open').filter((path) => path !== '/sandbox'),
  '/post/1',
  '/category/1',
  '/gem-calculator?from=7&to=3&gem=12345&server=999',
  ...[1, 2, 4, 5].map((id) => `/tournament/${id}`),
]

/** Of the open pages, one of each make: the frame around them is what differs for a player. */
const pagesOfAll = ['/home', '/post/1', '/exchange', '/404']

/** Where an activated player sees the same as one who is not, or who is banned, but for what stands above the page. */
const pagesOfActivated = ['/gift', '/ranking', '/recharge/claim', '/user/transactions']

const playerPages = [...plain('player'), '/sandbox']

const seeded = (matches: (player: (typeof seedPlayers)[number]) => boolean) => seedPlayers.find(matches)!

const visitors: Record<string, (request: APIRequestContext) => Promise<string | null>> = {
  'a visitor': async () => null,
  // With an open order, which stands above the form on /recharge.
  'an activated player': async (request) => {
    const token = await loginByCall(
      request,
      seeded(({ activated, ban }) => activated && !ban),
    )
    await order(request, token, { amount: 50_000 })
    return token
  },
  'a player who is not activated': (request) =>
    loginByCall(
      request,
      seeded(({ activated, ban }) => !activated && !ban),
    ),
  'a banned player': (request) =>
    loginByCall(
      request,
      seeded(({ ban }) => ban !== undefined),
    ),
}

function pagesOf(name: string): string[] {
  if (name === 'a visitor') return openPages
  const all = [...pagesOfAll, ...playerPages]
  if (name === 'an activated player' || hasAllCases) return all
  return all.filter((path) => path !== '/post/1' && !pagesOfActivated.includes(path))
}

/** Before each document as in a browser that has never been here, but for the session. */
async function forgetVisits(page: Page, token: string | null): Promise<void> {
  await page.addInitScript((stored) => {
    if (location.protocol === 'about:') return
    localStorage.removeItem('portal-hint')
    if (stored) localStorage.setItem('auth-react-v', JSON.stringify({ access_token: stored }))
  }, token)
}

for (const [name, tokenOf] of Object.entries(visitors)) {
  // The frame of these has what a visitor's and an activated player's have, and one notice more: all cases look at it.
  const isUsual = name === 'a visitor' || name === 'an activated player'
  const first = `no page moves under ${name} on a first visit`
  test(first, { tag: isUsual ? [] : '@long' }, async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 404/)
    const token = await tokenOf(request)
    await forgetVisits(page, token)
    const shifts = await watchShifts(page)
    await endStreams(page)
    for (const path of everyNth(pagesOf(name), 6, name === 'a visitor' ? 0 : 1)) {
      await page.goto(path)
      await settled(page)
      // A page that waits for what stands above it is shown as soon as that is there.
      await expect(page.locator('#main')).toHaveCSS('visibility', 'visible', { timeout: 1 })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect.soft(await shifts.sum(), `${path}\n${await shifts.moved()}`).toBeLessThanOrEqual(CLS_MAX)
    }
  })

  // What is remembered of a visit is what stands above the page for this player; for the others nothing does.
  test(`no page moves under ${name} on a later visit`, { tag: '@long' }, async ({ page, request }) => {
    const token = await tokenOf(request)
    const shifts = await watchShifts(page)
    await page.goto('/community')
    if (token) await page.evaluate(storeSession, token)
    for (const path of ['/community', '/home', '/exchange']) {
      await page.goto(path)
      await settled(page)
      expect.soft(await shifts.sum(), `${path}\n${await shifts.moved()}`).toBeLessThanOrEqual(CLS_MAX)
    }
  })
}

for (const name of ['a player who is not activated', 'a banned player'] as const) {
  test(
    `no page moves under ${name} when it is known late who looks`,
    { tag: '@long' },
    async ({ page, request }) => {
      const token = await visitors[name]!(request)
      await forgetVisits(page, token)
      await page.route('**/api/auth/verify', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, LATE_MS))
        await route.fallback()
      })
      const shifts = await watchShifts(page)
      for (const path of ['/home', '/sandbox']) {
        await page.goto(path)
        await settled(page)
        expect.soft(await shifts.sum(), `${path}\n${await shifts.moved()}`).toBeLessThanOrEqual(CLS_MAX)
      }
    },
  )
}

test('no line of text is wrapped again while one weight of the font is missing', async ({ page }) => {
  await page.route(/be-vietnam-pro-400.*woff2/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 4 * ANSWER_DELAY_MS))
    await route.continue()
  })
  const shifts = await watchShifts(page)
  await page.goto('/gem-calculator')
  await settled(page)
  expect(await shifts.sum(), await shifts.moved()).toBeLessThanOrEqual(CLS_OF_A_FONT_MAX)
})

const storeSession = (token: string) =>
  localStorage.setItem('auth-react-v', JSON.stringify({ access_token: token }))

test('nothing moves on the page of a gift when its delivery is known late', async ({ page, trader }) => {
  await changing('**/api/auth/verify', (known) => ({ ...known, first_gift: 9_999 }))(page)
  const gift = delivery({ kind: 'gift', goods: [], amount: 9_999, status: 'delivered' })
  await page.route('**/api/user/deliveries?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 4 * ANSWER_DELAY_MS))
    await route.fulfill({ json: { data: [gift], payload: { pagination: { total: 1 } } } })
  })
  const shifts = await watchShifts(page)
  await signIn(page, trader.token)
  await page.goto('/gift')
  await expect(page.getByText('Quà đã vào túi đồ của nhân vật.')).toBeVisible()
  await settled(page)
  expect(await shifts.sum(), await shifts.moved()).toBeLessThanOrEqual(CLS_MAX)
})
