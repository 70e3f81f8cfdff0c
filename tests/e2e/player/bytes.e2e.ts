import { everyNth } from '#tests/support/test-run.ts'
import type { APIRequestContext, Page } from '@playwright/test'
import {
  FORM_SCRIPT_GZIP_MAX,
  HOME_BYTES_MAX,
  REQUESTS_MAX,
  SCRIPT_GZIP_MAX,
  TOURNAMENT_SCRIPT_GZIP_MAX,
} from '#scripts/lighthouse/goals.ts'
import { expect, signIn, test, type Player } from './fixtures.ts'
import { BUDGETED_PAGES, settled, watchScripts, watchTraffic } from './measures.ts'

/** Of it 9,000 are the library that validates forms. */
const MODAL_JS_GZIP_MAX = 23_000

/** Where a page has a bound of its own. */
const SCRIPT_MAX_OF: Record<string, number> = {
  '/gem-calculator': FORM_SCRIPT_GZIP_MAX,
  '/tournament/1': TOURNAMENT_SCRIPT_GZIP_MAX,
}

const origin = () => process.env.PORTAL_URL ?? ''

test.describe('a first visit', () => {
  test.use({ isStranger: true })

  for (const path of BUDGETED_PAGES) {
    const tag = path === '/gem-calculator' ? '@long' : []
    test(`to ${path} loads little script, which its document names`, { tag }, async ({ page, request }) => {
      const scripts = watchScripts(page, origin())
      const traffic = watchTraffic(page, origin())
      await page.goto(path)
      // The greeting comes after the page, and counts.
      if (path === '/home') await expect(page.getByRole('dialog')).toBeVisible()
      await settled(page)
      const bytes = await scripts.gzipBytes()
      expect(bytes).toBeGreaterThan(0)
      expect(bytes).toBeLessThanOrEqual(SCRIPT_MAX_OF[path] ?? SCRIPT_GZIP_MAX)
      expect(await unnamed(request, path, scripts.urls())).toEqual([])
      const all = await traffic()
      expect(all.requests).toBeLessThanOrEqual(REQUESTS_MAX)
      expect(all.bytes).toBeGreaterThan(bytes / 2)
      if (path === '/home') expect(all.bytes).toBeLessThanOrEqual(HOME_BYTES_MAX)
    })
  }
})

test.describe('a first visit', () => {
  // That of Lighthouse's mobile preset, for which larger pictures are chosen than at 360.
  test.use({ isStranger: true, viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 })

  test('to /home stays within its bytes on a larger phone', async ({ page }) => {
    const traffic = watchTraffic(page, origin())
    await page.goto('/home')
    await expect(page.getByRole('dialog')).toBeVisible()
    await settled(page)
    expect((await traffic()).bytes).toBeLessThanOrEqual(HOME_BYTES_MAX)
  })
})

/** The greeting alone is looked for after the page has been finished. */
async function unnamed(request: APIRequestContext, path: string, scripts: string[]): Promise<string[]> {
  const html = await (await request.get(path)).text()
  return scripts.filter((url) => !html.includes(new URL(url).pathname) && !/\/splash-/.test(url))
}

for (const path of everyNth(['/forgot', '/login', '/ranking', '/register'], 2)) {
  test(`a visitor of ${path} loads little script until the form is there`, async ({ page }) => {
    const scripts = watchScripts(page, origin())
    const traffic = watchTraffic(page, origin())
    await page.goto(path)
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
    await settled(page)
    expect((await traffic()).requests).toBeLessThanOrEqual(REQUESTS_MAX)
    const bytes = await scripts.gzipBytes()
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(FORM_SCRIPT_GZIP_MAX)
  })
}

test('a player of /recharge loads little script until the form is there', async ({ page, newcomer }) => {
  await signIn(page, newcomer.token)
  const scripts = watchScripts(page, origin())
  await page.goto('/recharge')
  await expect(page.getByRole('main').getByRole('radio').first()).toBeVisible()
  await settled(page)
  const bytes = await scripts.gzipBytes()
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(FORM_SCRIPT_GZIP_MAX)
})

test.describe('a first visit', () => {
  test.use({ isStranger: true })

  test('to /home shows pictures far down when they are scrolled to', async ({ page }) => {
    await page.goto('/home')
    const pictures = page.locator('figure img')
    const isFetched = () =>
      pictures.last().evaluate((one: HTMLImageElement) => one.currentSrc.startsWith('http'))
    expect(await isFetched()).toBe(false)
    await page.getByRole('figure').last().scrollIntoViewIfNeeded()
    await expect.poll(isFetched).toBe(true)
    await expect
      .poll(() => pictures.last().evaluate((one: HTMLImageElement) => one.naturalWidth))
      .toBeGreaterThan(1)
  })
})

const others = ['/category/1', '/community', '/download/ios', '/exchange', '/tournaments', '/terms']
for (const path of everyNth(others, 6)) {
  test(`the document of ${path} names every script that its page needs`, async ({ page, request }) => {
    const scripts = watchScripts(page, origin())
    await page.goto(path)
    await settled(page)
    expect(scripts.urls().length).toBeGreaterThan(0)
    expect(await unnamed(request, path, scripts.urls())).toEqual([])
  })
}

type Modal = {
  name: string
  title: string
  path?: string
  isOfPlayers?: boolean
  open: (page: Page) => Promise<void>
}

const inHeader = (name: string) => (page: Page) =>
  page.getByRole('banner').getByRole('link', { name }).click()

const modals: Modal[] = [
  { name: 'login', title: 'Đăng nhập', open: inHeader('Đăng nhập') },
  { name: 'register', title: 'Đăng ký tài khoản', open: inHeader('Đăng ký') },
  {
    name: 'forgot',
    title: 'Quên mật khẩu',
    open: async (page) => {
      await inHeader('Đăng nhập')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Quên mật khẩu?' }).click()
    },
  },
  {
    name: 'active',
    title: 'Kích hoạt tài khoản',
    path: '/user/profile',
    isOfPlayers: true,
    open: (page) => page.getByRole('button', { name: 'Kích hoạt', exact: true }).first().click(),
  },
]

for (const modal of everyNth(modals, 4)) {
  test(`opening ${modal.name} loads little more script`, async ({ page, newcomer }) => {
    await visit(page, modal.isOfPlayers ? newcomer : null, modal.path)
    const scripts = watchScripts(page, origin())
    await modal.open(page)
    // The dialog is there before what is in it; its own button closes it.
    await expect(page.getByRole('dialog', { name: modal.title }).getByRole('button').nth(1)).toBeVisible()
    await settled(page)
    const bytes = await scripts.gzipBytes()
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(MODAL_JS_GZIP_MAX)
  })
}

async function visit(page: Page, player: Player | null, path = '/home'): Promise<void> {
  if (player) await signIn(page, player.token)
  // The script that decides about the greeting comes after the page, on a busy machine long after it.
  const greeting =
    path === '/home' ? page.waitForResponse((response) => /\/splash-/.test(response.url())) : null
  await page.goto(path)
  await greeting
  await settled(page)
}

test('the styles of the document itself go when the whole style sheet is there, and rules do not count twice', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_FAILED .*\.css/)
  await page.route('**/*.css', (route) => route.abort(), { times: 1 })
  await page.goto('/home')
  await expect(page.locator('#root[data-ready]')).toBeAttached()
  await expect(page.locator('style'), 'they stay where the sheet did not come').toHaveCount(1)
  await page.goto('/home')
  await expect(page.locator('#root[data-ready]')).toBeAttached()
  await expect(page.locator('style')).toHaveCount(0)
})
