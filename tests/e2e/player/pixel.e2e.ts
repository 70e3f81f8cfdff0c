import type { APIRequestContext, Page } from '@playwright/test'
import { SCRIPT_GZIP_MAX } from '#scripts/lighthouse/goals.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { expectAccessible } from '../accessible.ts'
import {
  expect,
  freshUsername,
  registerPlayer,
  sendRegistration,
  signIn,
  test,
  order,
  pay,
} from './fixtures.ts'
import { BUDGETED_PAGES, PIXEL_JS_GZIP_MAX, hydrated, settled, watchScripts } from './measures.ts'
import { useSeparatePortal } from './separate-portal.ts'
import { storeSetting } from './staff.ts'

const PIXEL_ID = '123456789012345'
const META = /facebook\.(net|com)/

// The consent bar would disturb every other test.
const portal = useSeparatePortal((_, { dataDir }) =>
  storeSetting(dataDir, { key: 'pixel_id', value: PIXEL_ID }),
)

type Recorded = {
  calls: unknown[][]
  /** Requested addresses outside the portal. */
  outside: string[]
  events(): string[]
}

/** A fake of Meta's script that records its calls; also records all calls to other hosts. */
async function recordPixel(page: Page): Promise<Recorded> {
  const calls: unknown[][] = []
  const outside: string[] = []
  await page.exposeFunction('pixelRecorded', (call: string) => calls.push(JSON.parse(call) as unknown[]))
  page.on('request', (request) => {
    if (!request.url().startsWith(portal.url) && /^https?:/.test(request.url())) outside.push(request.url())
  })
  await page.context().route(META, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `{
        const record = (...call) => pixelRecorded(JSON.stringify(call))
        fbq.callMethod = record
        for (const call of fbq.queue.splice(0)) record(...call)
      }`,
    }),
  )
  return {
    calls,
    outside,
    events: () => calls.filter(([verb]) => verb === 'track').map((call) => String(call[1])),
  }
}

const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name })

const question = (page: Page) => page.getByRole('region', { name: 'Cho phép đo quảng cáo?' })

async function agree(page: Page): Promise<void> {
  await page.goto('/home')
  await question(page).getByRole('button', { name: 'Đồng ý', exact: true }).click()
  await expect(question(page)).toBeHidden()
}

const firstPost = async (request: APIRequestContext) =>
  ((await (await request.get('/api/posts?limit=1')).json()) as { id: string }[])[0]!.id

test('a portal without a pixel shows no consent bar and loads nothing from other hosts', async ({ page }) => {
  const answer = await page.goto(`${process.env.PORTAL_URL}/home`, { waitUntil: 'networkidle' })
  expect(answer?.headers()['content-security-policy']).not.toMatch(META)
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Quyền riêng tư quảng cáo' })).toHaveCount(0)
})

test('nothing loads before a visitor agrees, nor after they refused', async ({ page, request }) => {
  const recorded = await recordPixel(page)
  await page.goto('/home', { waitUntil: 'networkidle' })
  await expect(question(page)).toBeVisible()
  await expectAccessible(page)
  await question(page).getByRole('button', { name: 'Không đồng ý' }).click()
  await expect(question(page)).toBeHidden()
  await page.goto(`/post/${await firstPost(request)}`, { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  expect(recorded.outside).toEqual([])
  const stored = await page.evaluate(
    () => JSON.parse(localStorage.getItem('pixel-consent') ?? '{}') as object,
  )
  expect(stored).toEqual({ version: 1, time: expect.stringMatching(/^\d{4}-.*Z$/), choice: 'denied' })
})

test(
  'with consent, posts and links to the community are counted',
  { tag: '@long' },
  async ({ page, request }) => {
    const recorded = await recordPixel(page)
    await agree(page)
    await expect.poll(() => recorded.calls.length).toBeGreaterThanOrEqual(4)
    expect(recorded.calls.slice(0, 4)).toEqual([
      ['set', 'autoConfig', false, PIXEL_ID],
      ['consent', 'revoke'],
      ['init', PIXEL_ID],
      ['consent', 'grant'],
    ])
    const id = await firstPost(request)
    await page.goto(`/post/${id}`)
    await expect.poll(recorded.events).toEqual(['ViewContent'])
    expect(recorded.calls.at(-1)).toEqual([
      'track',
      'ViewContent',
      { content_type: 'post', content_ids: [id] },
      { eventID: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ])
    await menuLink(page, 'Box Zalo').click()
    // The page before has links of its own, until the other one's code has come.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Box Zalo')
    const place = page.getByRole('main').getByRole('link').first()
    // Only the click counts: the link leads to another site.
    await place.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()))
    await place.click()
    await expect.poll(recorded.events).toEqual(['ViewContent', 'Contact'])
    // Neither the history nor the page views are watched.
    expect(recorded.calls.flat()).not.toContain('PageView')
  },
)

// The question and the pixel are the same files on each page; what else a page loads, bytes.e2e.ts weighs.
for (const path of hasAllCases ? BUDGETED_PAGES : ['/home']) {
  test(
    `a first visit to ${path} loads little script, question and consent included`,
    { tag: '@long' },
    async ({ page }) => {
      await recordPixel(page)
      const scripts = watchScripts(page, portal.url)
      await page.goto(path)
      await question(page).getByRole('button', { name: 'Đồng ý', exact: true }).click()
      for (const part of ['consent-bar', 'load-pixel', ...(path === '/home' ? ['splash'] : [])])
        await expect.poll(() => scripts.urls().some((file) => file.includes(part))).toBe(true)
      await settled(page)
      expect(await scripts.gzipBytes()).toBeLessThanOrEqual(SCRIPT_GZIP_MAX + PIXEL_JS_GZIP_MAX)
    },
  )
}

test('wallet pages are documents of their own, without it', async ({ page }) => {
  const recorded = await recordPixel(page)
  await agree(page)
  await expect.poll(() => recorded.calls.length).toBeGreaterThan(0)
  const before = recorded.outside.length
  await page.evaluate(() => Object.assign(globalThis, { isOldDocument: true }))
  const opened = page.waitForResponse((response) => response.url() === `${portal.url}/exchange`)
  await menuLink(page, 'Đổi lượng').click()
  expect((await opened).headers()['content-security-policy']).not.toMatch(META)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Đổi lượng')
  const traces = () =>
    page.evaluate(() => [
      'isOldDocument' in globalThis,
      'fbq' in globalThis,
      document.querySelectorAll('script[src*="facebook"]').length,
    ])
  expect(await traces()).toEqual([false, false, 0])
  // Back on an open page, but still in the document of the wallet.
  await hydrated(menuLink(page, 'Box Zalo'))
  await menuLink(page, 'Box Zalo').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Box Zalo')
  expect(await traces()).toEqual([false, false, 0])
  expect(recorded.outside.length).toBe(before)
})

test(
  'a new password is entered in a separate document, without the pixel',
  { tag: '@long' },
  async ({ page }) => {
    const recorded = await recordPixel(page)
    await agree(page)
    await expect.poll(() => recorded.calls.length).toBeGreaterThan(0)
    const before = recorded.outside.length
    await page.evaluate(() => Object.assign(globalThis, { isOldDocument: true }))
    await page.getByRole('banner').getByRole('link', { name: 'Đăng nhập' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Quên mật khẩu?' }).click()
    await expect(page.getByRole('dialog', { name: 'Quên mật khẩu' })).toBeVisible()
    await expect(page).toHaveURL(/\/home$/)
    expect(await page.evaluate(() => ['isOldDocument' in globalThis, 'fbq' in globalThis])).toEqual([
      false,
      false,
    ])
    expect(recorded.outside.length).toBe(before)
  },
)

test(
  'a document in which a new password was entered never loads the pixel',
  { tag: '@long' },
  async ({ page }) => {
    const recorded = await recordPixel(page)
    await page.goto('/home')
    await page.getByRole('banner').getByRole('link', { name: 'Đăng nhập' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Quên mật khẩu?' }).click()
    await page.getByRole('dialog', { name: 'Quên mật khẩu' }).getByRole('button', { name: 'Đóng' }).click()
    await question(page).getByRole('button', { name: 'Đồng ý', exact: true }).click()
    // Another page of the same document: by then the pixel would be there.
    await menuLink(page, 'Box Zalo').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Box Zalo')
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
    expect(recorded.outside).toEqual([])
    await page.reload()
    await expect.poll(() => recorded.calls.length).toBeGreaterThan(0)
  },
)

test('a registration is reported once, without data of the player', async ({ page }) => {
  const recorded = await recordPixel(page)
  await agree(page)
  await page.getByRole('banner').getByRole('link', { name: 'Đăng ký' }).click()
  const username = freshUsername()
  await sendRegistration(page, username)
  await expect(page.getByRole('dialog', { name: 'Đăng ký tài khoản' })).toBeHidden()
  await page.goto('/community', { waitUntil: 'networkidle' })
  await expect.poll(recorded.events).toEqual(['CompleteRegistration'])
  expect(JSON.stringify(recorded.calls)).not.toContain(username)
})

test(
  'the first recharge is reported on the next open page, the second is not',
  { tag: '@long' },
  async ({ page, request }) => {
    const recorded = await recordPixel(page)
    const { token } = await registerPlayer(request)
    await signIn(page, token)
    await agree(page)
    for (const round of [1, 2]) {
      const { code } = await order(request, token, { amount: 20_000 + round })
      await page.goto(`/recharge/${code}`)
      await expect(page.getByRole('img', { name: /QR/ })).toBeVisible()
      await pay(request, token, { code })
      await expect(page.getByRole('heading', { name: 'Nạp TCoin thành công' })).toBeVisible()
      await page.waitForLoadState('networkidle')
      expect(recorded.events()).toHaveLength(round - 1)
      await page.goto('/home', { waitUntil: 'networkidle' })
      await expect.poll(recorded.events).toEqual(['Subscribe'])
      expect(JSON.stringify(recorded.calls)).not.toContain(code)
    }
  },
)

test('a recharge credited meanwhile is reported once', { tag: '@long' }, async ({ page, request }) => {
  const recorded = await recordPixel(page)
  const { token } = await registerPlayer(request)
  await signIn(page, token)
  await agree(page)
  const { code } = await order(request, token, { amount: 20_000 })
  await page.goto(`/recharge/${code}`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('pixel-recharge'))).toContain('"playerId"')
  // Not credited yet: the next visit reports nothing.
  await page.goto('/community', { waitUntil: 'networkidle' })
  expect(recorded.events()).toEqual([])
  await pay(request, token, { code })
  for (const path of ['/home', '/community']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect.poll(recorded.events).toEqual(['Subscribe'])
  }
})

test(
  'who changes their mind at the foot of the page is not counted any more',
  { tag: '@long' },
  async ({ page, request }) => {
    const recorded = await recordPixel(page)
    await agree(page)
    await expect.poll(() => recorded.calls.length).toBeGreaterThan(0)
    await page.evaluate(() => {
      document.cookie = '_fbp=fb.1.1.1; Path=/'
      document.cookie = '_fbc=fb.1.1.2; Path=/'
    })
    await page.getByRole('button', { name: 'Quyền riêng tư quảng cáo' }).click()
    await expect(question(page)).toContainText('Hiện tại: bạn đã đồng ý.')
    await question(page).getByRole('button', { name: 'Không đồng ý' }).click()
    await expect.poll(() => recorded.calls.at(-1)).toEqual(['consent', 'revoke'])
    expect(await page.evaluate(() => document.cookie)).not.toMatch(/_fb[pc]/)
    const before = recorded.outside.length
    await page.goto(`/post/${await firstPost(request)}`, { waitUntil: 'networkidle' })
    expect(recorded.outside.length).toBe(before)
    expect(recorded.events()).toEqual([])
  },
)

test('a player’s withdrawn answer holds on all devices', { tag: '@long' }, async ({ page, request }) => {
  const recorded = await recordPixel(page)
  const { token } = await registerPlayer(request)
  const given = async () => {
    const answer = await request.post('/api/auth/verify', { data: { access_token: token } })
    return ((await answer.json()) as { pixel_consent: boolean | null }).pixel_consent
  }
  await signIn(page, token)
  await agree(page)
  await expect.poll(given).toBe(true)
  await expect.poll(() => recorded.calls.length).toBeGreaterThan(0)
  // On another device, where the question was never shown.
  const withdrawn = await request.post('/api/user/consents', {
    headers: { authorization: `Bearer ${token}` },
    data: { subject: 'pixel', version: 1, given: false, source: 'consents-page' },
  })
  expect(withdrawn.status()).toBe(200)
  const before = recorded.outside.length
  await page.goto(`/post/${await firstPost(request)}`, { waitUntil: 'networkidle' })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('pixel-consent'))).toContain('denied')
  expect(recorded.outside.length).toBe(before)

  await page.goto('/user/consents')
  const main = page.getByRole('main')
  await expect(main.getByText('Bạn không đồng ý từ')).toBeVisible()
  await main.getByRole('button', { name: 'Đồng ý' }).click()
  await main.getByRole('button', { name: 'Rút lại sự đồng ý' }).click()
  await expect(main.getByText('Bạn không đồng ý từ')).toBeVisible()
  expect(await given()).toBe(false)
})
