import type { Page } from '@playwright/test'
import { changing } from '#tests/support/page-states/page-state.ts'
import { expect, signIn, test } from './fixtures.ts'
import { hydrated } from './measures.ts'

const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Tìm bài viết' })
const chips = (page: Page) => page.getByRole('main').getByRole('navigation', { name: 'Chuyên mục' })
const titles = (page: Page) => page.getByRole('main').getByRole('heading', { level: 3 })

async function search(page: Page, words: string): Promise<void> {
  await searchField(page).fill(words)
  await searchField(page).press('Enter')
}

test('a search is stored in the address, through reload and the way back', async ({ page }) => {
  await page.goto('/home')
  await hydrated(searchField(page))
  await search(page, ' Đèn  LỒNG ')
  await expect(page).toHaveURL(/\/search\/%C4%91%C3%A8n%20l%E1%BB%93ng$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kết quả cho “đèn lồng”')
  await expect(
    titles(page)
      .filter({ hasText: /đèn lồng/i })
      .first(),
  ).toBeVisible()
  const found = await titles(page).allInnerTexts()
  await page.reload()
  await expect(titles(page)).toHaveText(found)
  await expect(searchField(page)).toHaveValue('đèn lồng')
  await page.goBack()
  await expect(page).toHaveURL(/\/home$/)
})

test('a step back before the scripts come leads to the page of that address', async ({ page }) => {
  await page.goto('/home')
  await hydrated(searchField(page))
  await search(page, 'đèn lồng')
  await expect(page).toHaveURL(/\/search\//)
  const scripts = Promise.withResolvers<void>()
  await page.route('**/static/js/**', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await expect(searchField(page)).toHaveValue('đèn lồng')
  await page.goBack({ waitUntil: 'commit' })
  scripts.resolve()
  await expect(page).toHaveURL(/\/home$/)
  await expect(chips(page).getByRole('link', { name: 'Tất cả' })).toHaveAttribute('aria-current', 'page')
  await expect(page.locator('.hero-art')).toBeVisible()
})

test('marks do not have to be typed, and an empty result has its message', async ({ page }) => {
  await page.goto('/search/den%20long')
  await expect(
    titles(page)
      .filter({ hasText: /đèn lồng/i })
      .first(),
  ).toBeVisible()
  await hydrated(searchField(page))
  await search(page, 'khongcotunay')
  await expect(page.getByText('Không có bài viết nào chứa những từ này.')).toBeVisible()
})

test('a category is a chip and a page of its own, with the way back to all', async ({ page }) => {
  await page.goto('/home')
  const chip = chips(page).getByRole('link').nth(1)
  const name = await chip.innerText()
  await chip.click()
  await expect(page).toHaveURL(/\/category\/\d+$/)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(chips(page).getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  await page.reload()
  await expect(chips(page).getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(page).toHaveURL(/\/home$/)
  await expect(chips(page).getByRole('link', { name: 'Tất cả' })).toHaveAttribute('aria-current', 'page')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the search is a form that leads to the same address', async ({ page }) => {
    await page.goto('/home')
    await search(page, 'Đèn lồng')
    await expect(page).toHaveURL(/\/search\/%C4%91%C3%A8n%20l%E1%BB%93ng$/)
    await expect(
      titles(page)
        .filter({ hasText: /đèn lồng/i })
        .first(),
    ).toBeVisible()
  })
})

test('the strip of what happens now leads on by thumb and by keyboard', async ({ page }) => {
  await page.goto('/home')
  const strip = page.getByRole('region', { name: 'Đang diễn ra' })
  const cards = strip.getByRole('link')
  await expect(cards.first()).toContainText('Đổi lượng tặng thêm 10%')
  await expect(cards.last()).toHaveAttribute('href', /^\/tournament\/\d+$/)
  const last = cards.last()
  await hydrated(cards.last())
  await cards.first().focus()
  await page.keyboard.press('Tab')
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport({ ratio: 0.9 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()!.width)
  await last.click()
  await expect(page).toHaveURL(/\/tournament\/\d+$/)
})

test('a player is offered what players do, a visitor the game', async ({ page, trader }) => {
  await page.goto('/home')
  const actions = page.locator('.hero-actions a:visible')
  await expect(actions).toHaveText(['Tải game', 'Nạp TCoin'])
  await signIn(page, trader.token)
  await page.reload()
  await expect(actions).toHaveText(['Nạp TCoin', 'Đổi lượng'])
})

test('on a phone no text lies over the drawing', async ({ page }) => {
  await page.goto('/home')
  const art = await page.locator('.hero-art').boundingBox()
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
  expect(heading!.y).toBeGreaterThanOrEqual(art!.y + art!.height)
})

test.describe('sharing', () => {
  const share = (page: Page) => page.getByRole('main').getByRole('group', { name: 'Chia sẻ' })

  test('a post is shared by Zalo, Facebook, address and device', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.addInitScript(() => {
      Object.assign(navigator, {
        share: async (what: ShareData) => {
          document.documentElement.dataset.shared = JSON.stringify(what)
        },
      })
    })
    await page.goto('/post/1')
    const title = await page.getByRole('heading', { level: 1 }).innerText()
    const address = page.url()
    for (const [name, start] of [
      ['Zalo', 'https://zalo.me/share?url='],
      ['Facebook', 'https://www.facebook.com/sharer/sharer.php?u='],
    ] as const) {
      const link = share(page).getByRole('link', { name: `Chia sẻ qua ${name}` })
      await expect(link).toHaveAttribute('href', start + encodeURIComponent(address))
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    }
    await share(page).getByRole('button', { name: 'Sao chép đường dẫn' }).click()
    await expect(page.getByText('Đã sao chép')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    await share(page).getByRole('button', { name: 'Chia sẻ', exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('data-shared', JSON.stringify({ url: address, title }))
  })

  test('the profile passes on the link that invites', async ({ page, newcomer }) => {
    await signIn(page, newcomer.token)
    await page.goto('/user/profile')
    await page.locator('summary', { hasText: 'Mời bạn bè' }).click()
    const link = share(page).getByRole('link', { name: 'Chia sẻ qua Zalo' })
    await expect(link).toHaveAttribute('href', new RegExp(`referral_id%3D${newcomer.username}$`))
  })
})

test.describe('the hint to install', () => {
  const hint = (page: Page) => page.getByText('Đưa cổng ra màn hình chính')
  const offer = (page: Page) =>
    page.evaluate(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true })
      Object.assign(event, { prompt: async () => undefined })
      dispatchEvent(event)
    })
  const openMenuWithOffer = async (page: Page) => {
    const button = page.getByRole('banner').getByRole('button', { name: 'Danh mục', exact: true })
    await hydrated(button)
    // What waits for the offer comes after the page; it notes the visit when it is there.
    const isNoted = () => {
      const { last_ms = 0 } = JSON.parse(localStorage.getItem('visits') ?? '{}') as Record<string, number>
      return last_ms >= performance.timeOrigin
    }
    await expect.poll(() => page.evaluate(isNoted)).toBe(true)
    await offer(page)
    await button.click()
    await expect(page.getByRole('navigation', { name: 'Danh mục' })).toBeVisible()
  }
  const beOf = (page: Page, days: number) =>
    page.evaluate((gone) => {
      const visits = JSON.parse(localStorage.getItem('visits') ?? '{}') as Record<string, number>
      for (const name of ['last_ms', 'aside_ms']) if (visits[name]) visits[name] -= gone * 86_400_000
      localStorage.setItem('visits', JSON.stringify(visits))
    }, days)

  /** With the menu closed: one that is open leaves an entry of the history, from which the reloaded page steps back. */
  const reload = async (page: Page) => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('navigation', { name: 'Danh mục' })).toBeHidden()
    await page.reload()
  }

  test('comes on the second visit, and goes for ninety days', async ({ page }) => {
    await page.goto('/community')
    await openMenuWithOffer(page)
    await expect(hint(page)).toHaveCount(0)

    await beOf(page, 1)
    await reload(page)
    await openMenuWithOffer(page)
    await expect(hint(page)).toBeVisible()
    await page.getByRole('button', { name: 'Để sau' }).click()
    await expect(hint(page)).toHaveCount(0)

    await beOf(page, 80)
    await reload(page)
    await openMenuWithOffer(page)
    await expect(hint(page)).toHaveCount(0)
    await beOf(page, 11)
    await reload(page)
    await openMenuWithOffer(page)
    await expect(hint(page)).toBeVisible()
  })
})

test('an opening of a server stands in the strip while operators announce one', async ({ page }) => {
  await changing('**/api/settings', (known) => ({
    ...known,
    server_opening: 'Máy chủ Sương Mai mở lúc 19:00',
  }))(page)
  await page.goto('/home')
  await expect(page.getByRole('region', { name: 'Đang diễn ra' })).toContainText(
    'Máy chủ Sương Mai mở lúc 19:00',
  )
})

test('the text of a post stays the same elements when something beside it changes', async ({ page }) => {
  let answer = () => {}
  const isDue = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/categories', async (route) => {
    await isDue
    await route.continue()
  })
  await page.goto('/download')
  await hydrated(page.getByRole('button', { name: 'Xem tất cả phiên bản' }))
  await page.getByRole('link', { name: 'Trang chủ' }).first().click()
  await page.locator('main a[href^="/post/"]').first().click()
  const paragraph = page.locator('.rich-text p').first()
  const shown = await paragraph.elementHandle()
  const tags = page.getByRole('article').getByRole('list').first().getByRole('link')
  await expect(tags).toHaveCount(0)
  answer()
  await expect(tags.first()).toBeVisible()
  expect(await shown!.evaluate(({ isConnected }) => isConnected)).toBe(true)
})
