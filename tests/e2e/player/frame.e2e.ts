import { everyNth } from '#tests/support/test-run.ts'
import type { Locator, Page } from '@playwright/test'
import { changing, openMenu } from '#tests/support/page-states/page-state.ts'
import { expect, expectSignedIn, signIn, test } from './fixtures.ts'
import { hydrated } from './measures.ts'
import { inLargeLetters, LARGE_LETTERS } from '../layout.ts'

/** The frame on a phone of 360 pixels. Any worker may take the next of these. */
test.describe.configure({ mode: 'parallel' })

const HEADER_MAX = 64
const FOOTER_MAX = 400
const PROMPT_MAX = 48
const THUMB_MIN = 44
const ENTRIES = ['Trang chủ', 'Nạp TCoin', 'Đổi lượng', 'Box Zalo', 'Quà tân thủ']

const banner = (page: Page) => page.getByRole('banner')
const bar = (page: Page) => page.getByRole('navigation', { name: 'Chính' })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Danh mục' })
const menuButton = (page: Page) => banner(page).getByRole('button', { name: 'Danh mục', exact: true })

/** Their game character has just begun; the game gives some a level at which the gift is of no use. */
const beginner = changing('**/api/exchange', (known: { characters: { info: object }[] }) => ({
  ...known,
  characters: known.characters.map((one) => ({ ...one, info: { ...one.info, level: 1 } })),
}))

const user = (change: object) => changing('**/api/auth/verify', (known) => ({ ...known, ...change }))

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not drawn')
  return box
}

test('the footer is short and holds what the law asks for', async ({ page }) => {
  await page.goto('/home')
  const footer = page.getByRole('contentinfo')
  expect((await boxOf(footer)).height).toBeLessThanOrEqual(FOOTER_MAX)
  for (const text of ['từ 12 tuổi', '180 phút', 'Công ty TNHH Tinh Hoa Ninja', 'Địa chỉ:', 'Hotline'])
    await expect(footer).toContainText(text)
  for (const name of ['Điều khoản sử dụng', 'Chính sách quyền riêng tư', 'Chính sách hoàn tiền'])
    expect((await boxOf(footer.getByRole('link', { name }))).height).toBeGreaterThanOrEqual(THUMB_MIN)
})

/** Screens of a phone, a tablet and a desktop. */
const WIDTHS = [360, 768, 1280]

test('the header is one row, as high for a visitor as for a player with a long name and a large balance, also at 130 %', async ({
  page,
  trader,
}) => {
  const heights = async () => {
    const usual = page.viewportSize()!
    const found: Record<string, number> = {}
    for (const kind of [undefined, ...LARGE_LETTERS])
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        const measure = async () => (await boxOf(banner(page))).height
        found[`${width} ${kind ?? ''}`] = await (kind ? inLargeLetters(page, kind, measure) : measure())
      }
    await page.setViewportSize(usual)
    return found
  }
  await page.goto('/home')
  await expect(menuButton(page)).toBeVisible()
  const ofVisitor = await heights()
  expect(ofVisitor['360 ']).toBeLessThanOrEqual(HEADER_MAX)
  for (const kind of LARGE_LETTERS) expect(ofVisitor[`360 ${kind}`]).toBeLessThanOrEqual(1.3 * HEADER_MAX)
  await signIn(page, trader.token)
  const longest = { username: 'tranquochuynh1998200', balance: 1_234_567_890 }
  for (const change of everyNth([longest, { username: trader.username }], 2)) {
    await page.unrouteAll()
    await user(change)(page)
    await page.reload()
    await expectSignedIn(page, change.username)
    await expect(menuButton(page)).toBeVisible()
    expect(await heights()).toEqual(ofVisitor)
  }
})

test(
  'long names and balances do not widen a small tablet’s page',
  { tag: '@long' },
  async ({ page, trader }) => {
    const [username, width] = ['tranquochuynh199820', 768]
    await page.setViewportSize({ width, height: 1024 })
    await user({ username, balance: 1_234_567_890 })(page)
    await signIn(page, trader.token)
    await page.goto('/community')
    await expect(banner(page).getByText(username).filter({ visible: true })).toHaveCount(1)
    await expect(banner(page).getByText('1,234,567,890')).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  },
)

test('the five entries lie under the thumb and can be reached by the keyboard', async ({ page }) => {
  await page.goto('/community')
  const entries = bar(page).getByRole('link')
  await expect(entries).toHaveText(ENTRIES)
  const { height: screen, width } = page.viewportSize()!
  for (const entry of await entries.all()) {
    const box = await boxOf(entry)
    expect(box.height).toBeGreaterThanOrEqual(THUMB_MIN)
    expect(box.width).toBeGreaterThanOrEqual(THUMB_MIN)
    expect(box.y).toBeGreaterThan(screen * 0.85)
    expect(box.y + box.height).toBeLessThanOrEqual(screen)
    expect(box.x + box.width).toBeLessThanOrEqual(width)
  }
  const reached: string[] = []
  for (let step = 0; step < 20 && reached.length < ENTRIES.length; step += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() =>
      document.activeElement?.closest('.top-nav') ? document.activeElement.textContent : null,
    )
    if (name !== null) reached.push(name)
  }
  expect(reached).toEqual(ENTRIES)
})

for (const path of everyNth(['/home', '/exchange', '/terms'], 3)) {
  test(`the end of ${path} does not lie under the tab bar`, async ({ page }) => {
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const last = page.getByRole('contentinfo').locator('p').last()
    await expect(last).toBeInViewport({ ratio: 1 })
    const { y, height } = await boxOf(last)
    // Pages are scrolled by whole pixels.
    expect(Math.floor(y + height)).toBeLessThanOrEqual((await boxOf(bar(page))).y)
  })
}

test('what gets the focus is not left under the tab bar', async ({ page }) => {
  await page.goto('/gem-calculator')
  const { y: barTop } = await boxOf(bar(page))
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press('Tab')
    const focused = page.locator('main :focus, footer :focus')
    if ((await focused.count()) === 0) continue
    const { y, height } = await boxOf(focused)
    expect(y + height).toBeLessThanOrEqual(barTop)
  }
})

test('the menu of a player holds what the header has no room for', async ({ page, trader }) => {
  await signIn(page, trader.token)
  await page.goto('/download')
  await expectSignedIn(page, trader.username)
  await hydrated(menuButton(page))
  await expect(menu(page)).toBeHidden()
  await openMenu(page)
  await expect(menu(page)).toContainText(`Chào bạn ở máy chủ Trúc Lâm${trader.username}`)
  for (const [name, address] of [
    ['Hồ sơ', '/user/profile'],
    ['Lịch sử giao dịch', '/user/transactions'],
    ['Món đã mua', '/user/deliveries'],
    ['Chuyển TCoin', '/user/transfer'],
    ['Tải game', '/download'],
    ['Bảng xếp hạng', '/ranking'],
    ['Giải đấu', '/tournaments'],
    ['Tính nâng ngọc', '/gem-calculator'],
    ['Điều khoản sử dụng', '/terms'],
  ] as const) {
    await expect(menu(page).getByRole('link', { name })).toHaveAttribute('href', address)
  }
  await expect(menu(page).getByRole('button', { name: 'Đăng xuất' })).toBeVisible()
  await menu(page).getByRole('link', { name: 'Bảng xếp hạng' }).click()
  await expect(page).toHaveURL(/\/ranking/)
  await expect(menu(page)).toBeHidden()
})

test('the menu closes by Escape, button and a tap beside it', async ({ page }) => {
  await page.goto('/community')
  await hydrated(menuButton(page))
  await menuButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(menu(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(menu(page).getByRole('button', { name: 'Đóng danh mục' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu(page)).toBeHidden()
  await expect(menuButton(page)).toBeFocused()
  await openMenu(page)
  await menu(page).getByRole('button', { name: 'Đóng danh mục' }).click()
  await expect(menu(page)).toBeHidden()
  await openMenu(page)
  await expect(menu(page)).toBeVisible()
  await page.mouse.click(20, 120)
  await expect(menu(page)).toBeHidden()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the menu opens and leads on', async ({ page }) => {
    await page.goto('/community')
    await menuButton(page).click()
    await menu(page).getByRole('link', { name: 'Giải đấu' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Giải đấu' })).toBeVisible()
  })
})

test('the place of the gift goes to the events once it is taken', async ({ page, trader }) => {
  await user({ first_gift: 9_999 })(page)
  await signIn(page, trader.token)
  await page.goto('/community')
  await expectSignedIn(page, trader.username)
  await expect(bar(page).getByRole('link')).toHaveText([...ENTRIES.slice(0, 4), 'Giải đấu'])
  await bar(page).getByRole('link', { name: 'Giải đấu' }).click()
  await expect(page).toHaveURL(/\/tournaments$/)
})

test('the notice of a lost network stays in sight', async ({ page, context, consoleErrors }) => {
  consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  await page.goto('/home', { waitUntil: 'networkidle' })
  await context.setOffline(true)
  const notice = page.getByText('Bạn đang ngoại tuyến')
  await expect(notice).toBeVisible()
  await page.evaluate(() => scrollTo(0, 1_500))
  await expect(notice).toBeInViewport({ ratio: 1 })
  await context.setOffline(false)
  await expect(notice).toHaveCount(0)
})

test(
  'the prompt to activate is shown only where money is spent',
  { tag: '@long' },
  async ({ page, newcomer }) => {
    await signIn(page, newcomer.token)
    await page.goto('/exchange')
    const prompt = page.getByRole('region', { name: 'Kích hoạt tài khoản' })
    await expect(prompt).toContainText('Tài khoản chưa kích hoạt.')
    expect((await boxOf(prompt)).height).toBeLessThanOrEqual(PROMPT_MAX)
    await prompt.getByRole('button', { name: 'Kích hoạt' }).click()
    await expect(page.getByRole('dialog', { name: 'Kích hoạt tài khoản' })).toBeVisible()
    await page.goto('/community')
    await expectSignedIn(page, newcomer.username)
    await expect(prompt).toHaveCount(0)
  },
)

test.describe('the newcomer’s card', () => {
  const card = (page: Page) => page.getByRole('region', { name: 'Ba bước cho người mới' })
  const states = [
    { is: 'without TCoin', change: { activated: false, balance: 0 }, step: 'Nạp', action: 'Nạp TCoin' },
    {
      is: 'with TCoin',
      change: { activated: false, balance: 20_000 },
      step: 'Kích hoạt',
      action: 'Kích hoạt',
    },
    { is: 'activated', change: { activated: true, balance: 5 }, step: 'Nhận quà', action: 'Xem quà' },
  ]
  for (const { is, change, step, action } of everyNth(states, 2)) {
    test(`shows the step of a player ${is}, and one thing to do`, async ({ page, newcomer }) => {
      await beginner(page)
      await user({ ...change, first_gift: null })(page)
      await signIn(page, newcomer.token)
      await page.goto('/home')
      await expect(card(page).locator('[aria-current="step"]')).toContainText(step)
      await expect(card(page).locator('a, button:not([aria-label])')).toHaveText([action])
    })
  }

  test(
    'is put aside for good by a player who wants no gift',
    { tag: '@long' },
    async ({ page, newcomer }) => {
      await beginner(page)
      await user({ activated: true, first_gift: null })(page)
      await signIn(page, newcomer.token)
      await page.goto('/home')
      await card(page).getByRole('button', { name: 'Ẩn' }).click()
      await expect(card(page)).toHaveCount(0)
      await page.reload()
      await expectSignedIn(page, newcomer.username)
      await expect(card(page)).toHaveCount(0)
    },
  )

  test(
    'is not shown to a player with a gift, nor to one who is banned',
    { tag: '@long' },
    async ({ page, newcomer }) => {
      await signIn(page, newcomer.token)
      for (const change of [
        { activated: true, first_gift: 9_999 },
        { activated: false, ban_until: '2999-01-01T00:00:00.000Z', ban_reason: 'Thử' },
      ]) {
        await user(change)(page)
        await page.goto('/home')
        await expectSignedIn(page, newcomer.username)
        await expect(card(page)).toHaveCount(0)
      }
    },
  )
})

test('a question at the foot of the screen stands above the tab bar', async ({ page }) => {
  await changing('**/api/settings', (known) => ({ ...known, pixel_id: '1234567890123456' }))(page)
  await page.goto('/home')
  const question = page.getByRole('region', { name: 'Cho phép đo quảng cáo?' })
  await expect(question).toBeVisible()
  const { y, height } = await boxOf(question)
  expect(y + height).toBeLessThanOrEqual((await boxOf(bar(page))).y)
})
