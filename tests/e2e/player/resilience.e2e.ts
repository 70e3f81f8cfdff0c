import type { APIRequestContext, Page } from '@playwright/test'
import { seedPlayers } from '#seeds/players.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { expect, loginByCall, signIn, test } from './fixtures.ts'

// The offline worker is part of it.
test.use({ serviceWorkers: 'allow' })

const FAILURE = 'Có lỗi xảy ra, vui lòng thử lại'

async function openPaths(request: APIRequestContext): Promise<string[]> {
  const [post] = (await (await request.get('/api/posts?limit=1')).json()) as {
    id: string
    category_ids: string[]
  }[]
  const [tournament] = (await (await request.get('/api/tournaments')).json()) as { id: string }[]
  return [
    '/home',
    `/post/${post?.id}`,
    `/category/${post?.category_ids[0]}`,
    '/community',
    '/download',
    '/download/ios',
    '/gem-calculator',
    '/tournaments',
    `/tournament/${tournament?.id}`,
  ]
}

const main = (page: Page) => page.getByRole('main')

/** Each failed part of a page has its own button; one answer may serve two of them. */
async function retryUntilWell(page: Page): Promise<void> {
  await expect(async () => {
    const retry = main(page).getByRole('button', { name: 'Thử lại' }).first()
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 })
    // What is folded shows it when it is opened.
    await expect(main(page).getByText(FAILURE).filter({ visible: true })).toHaveCount(0, { timeout: 1_500 })
  }).toPass({ timeout: 15_000 })
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  // The offline worker is part of it.
  test.use({ serviceWorkers: 'allow' })

  test('open pages are readable and lead on', async ({ page, request }) => {
    for (const path of await openPaths(request)) {
      const answer = await page.goto(path)
      expect(answer?.status(), path).toBe(200)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expect(main(page).locator('[aria-busy="true"]:visible'), path).toHaveCount(0)
      expect((await main(page).innerText()).length, path).toBeGreaterThan(60)
    }
    await page.goto('/home')
    const title = page.getByRole('main').getByRole('heading', { level: 3 }).first()
    const name = (await title.innerText()).trim()
    await title.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Box Zalo' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Box Zalo')
  })

  test('every version can be downloaded', async ({ page }) => {
    await page.goto('/download')
    await expect(main(page).getByRole('link', { name: /^Tải bản / })).toHaveCount(11)
    await expect(page.getByRole('button', { name: 'Xem tất cả phiên bản' })).toBeHidden()
  })
})

test.describe('when the API goes down after the load', () => {
  test('each page a visitor opens reports it, and recovers', async ({ page, request, consoleErrors }) => {
    test.setTimeout(120_000)
    consoleErrors.expect(/status of 503/)
    const [post] = (await (await request.get('/api/posts?limit=1')).json()) as {
      id: string
      category_ids: string[]
    }[]
    // Their first documents are without the data of the others, which the browser has to fetch.
    const ways = [
      ['/download', `/home`],
      ['/home', `/category/${post?.category_ids[0]}`],
      ['/home', `/post/${post?.id}`],
      ['/download', '/tournaments'],
    ] as const
    for (const [start, link] of everyNth(ways, 4)) {
      await page.goto(start, { waitUntil: 'networkidle' })
      await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: {} }))
      const way = page.locator(`a[href="${link}"]:visible`).first()
      await way.click()
      await expect(page).toHaveURL(link)
      await expect(main(page).getByText(FAILURE).first(), link).toBeVisible()
      await page.unroute('**/api/**')
      await retryUntilWell(page)
      await expect(main(page).getByRole('heading').first(), link).toBeVisible()
    }
  })

  test(
    'each page of a player reports it, and recovers',
    { tag: '@long' },
    async ({ page, request, consoleErrors }) => {
      test.setTimeout(120_000)
      consoleErrors.expect(/status of 503/)
      const [, veteran] = seedPlayers
      await signIn(page, await loginByCall(request, veteran!))
      const paths = ['/user/profile', '/exchange', '/gift', '/ranking', '/user/transactions', '/recharge']
      for (const path of everyNth(paths, 4)) {
        // The user is loaded; the page's own calls get no answer.
        await page.route(/\/api\/(?!settings|auth\/verify)/, (route) =>
          route.fulfill({ status: 503, json: {} }),
        )
        await page.goto(path)
        await expect(main(page).getByText(FAILURE).first(), path).toBeVisible()
        await page.unroute(/\/api\/(?!settings|auth\/verify)/)
        await retryUntilWell(page)
      }
    },
  )
})

test('the offline page opens the requested page when it can', async ({ page, context, consoleErrors }) => {
  consoleErrors.expect(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  await page.goto('/home', { waitUntil: 'networkidle' })
  const workers = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  expect(await workers(), 'before the first touch').toBe(0)
  await page.keyboard.press('Shift')
  await expect.poll(workers).toBe(1)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await context.setOffline(true)
  await page.goto('/community')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Không có kết nối mạng')
  await expect(page.locator('img')).toHaveJSProperty('naturalWidth', 280)
  await expect(page.getByRole('link', { name: 'Trang chủ' })).toHaveAttribute('href', '/home')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Box Zalo')
})

test('the offline worker caches neither pages nor answers', async ({ page }) => {
  await page.goto('/home', { waitUntil: 'networkidle' })
  await page.keyboard.press('Shift')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.goto('/download', { waitUntil: 'networkidle' })
  const cached = await page.evaluate(async () => {
    const paths: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) paths.push(new URL(request.url).pathname)
    }
    return paths.sort()
  })
  expect(cached).toEqual(['/images/lost-ninja.svg', '/offline.css', '/offline.html', '/offline.js'])
})

test('the portal can be installed', async ({ page, request }) => {
  await page.goto('/home')
  const address = await page.locator('link[rel="manifest"]').getAttribute('href')
  const manifest = (await (await request.get(address as string)).json()) as {
    name: string
    start_url: string
    display: string
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ start_url: '/home', display: 'standalone', lang: 'vi' })
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
  for (const { src } of manifest.icons) expect((await request.get(src)).status()).toBe(200)
})
