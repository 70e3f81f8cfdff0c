import type { Locator, Page } from '@playwright/test'
import { changing } from '#tests/support/page-states/page-state.ts'
import { ownHome } from '#tests/support/page-states/player-states.ts'
import { expect, expectSignedIn, registerTrader, signIn, test, order } from './fixtures.ts'

// What a player sees first of their own. Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const HEADER_MAX = 64
/** It was 3,809 pixels high. */
const PROFILE_MAX = 2_700

const user = (change: object) => changing('**/api/auth/verify', (known) => ({ ...known, ...change }))
const topOf = async (part: ReturnType<Page['locator']>) => (await part.boundingBox())?.y ?? NaN

/** What an ellipsis hides the end of. */
const cutTexts = (parts: Locator) =>
  parts.evaluateAll((all) =>
    all
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth || scrollHeight > clientHeight,
      )
      .map(({ textContent }) => textContent),
  )

test('a player’s home begins with character, order, balance and tournament', async ({ page, request }) => {
  const own = page.getByRole('region', { name: 'Của bạn' })
  await page.goto('/home')
  await expect(own).toHaveCount(0)
  const { token } = await registerTrader(request, 30_000)
  // Who has no way back into the account is asked for one above all else.
  await user({ first_gift: 9_999, balance: 1_234_567_890, phone_verified: true })(page)
  await signIn(page, token)
  await page.goto('/home')
  await expect(own.getByRole('link')).toHaveText([
    /^Cấp \d+/,
    /Đổi lượng/,
    /Số dư1,234,567,890 TCoin/,
    /Tứ Hùng Trúc Lâm/,
    /Tin mới nhất/,
    'Điểm danh hằng ngàyNhận quà hôm nay',
  ])
  expect(await topOf(own)).toBeLessThanOrEqual(HEADER_MAX)
  expect(await cutTexts(own.locator('strong'))).toEqual([])
  const { code } = await order(request, token, { channel: 3, amount: 20_000 })
  await page.reload()
  await own.getByRole('link', { name: /Trả tiếp 20,000 đ/ }).click()
  await expect(page).toHaveURL(`/recharge/${code}`)
})

test('a player’s home shows rank and movement, what is open, the next match, news and the servers', async ({
  page,
  callers,
}) => {
  await ownHome(page)
  // Nothing to take today.
  await changing('**/api/check-in', (known) => ({ ...known, is_open: false }))(page)
  await page.addInitScript(() => localStorage.setItem('last-home', '{"at":"2000-01-01T00:00:00.000Z"}'))
  await signIn(page, await callers.token('hoangtuan'))
  await page.goto('/home')
  const own = page.getByRole('region', { name: 'Của bạn' })
  await expect(own.getByRole('link')).toHaveText([
    '▲ lên 3 · Cao thủHoangTuan · hạng 12',
    'Đơn nạp đang chờTrả tiếp 50,000 đ',
    'Đang giao 2 mónCho HoangTuan',
    'Đến lượt đội của bạnGặp Hắc Long',
    /\d+ tin mới từ lần trước$/,
    '2 phút trước · 2 máy chủ2,077 người đang chơi',
  ])
  expect(await cutTexts(own.locator('strong'))).toEqual([])
})

test('the profile begins with character and rank, and is short', async ({ page, callers }) => {
  await signIn(page, await callers.token('hoangtuan'))
  // Other tests sign this player in meanwhile, and each of their devices is a row more.
  await page.route('**/api/auth/sessions', async (route) => {
    const all = (await (await route.fetch()).json()) as { is_current: boolean }[]
    await route.fulfill({ json: all.filter(({ is_current }) => is_current) })
  })
  await page.goto('/user/profile')
  const first = page.getByRole('main').locator('section').first()
  await expect(first.getByRole('link', { name: /^Hạng [\d,]+ · Cao thủ$/ })).toBeVisible()
  await expect(first).toContainText('Cấp 92')
  expect(await topOf(first)).toBeLessThan(360)
  await expect(
    page.getByRole('heading', { name: 'Bảo mật' }).or(page.getByText('Mời bạn bè')).first(),
  ).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(PROFILE_MAX)
})

test('no gift is offered to a player who is beyond it', async ({ page, newcomer }) => {
  await user({ activated: true, balance: 5, first_gift: null })(page)
  await page.route('**/api/exchange', async (route) => {
    const known = (await (await route.fetch()).json()) as object
    const info = { head: 1, classId: 1, level: 92 }
    await route.fulfill({
      json: {
        ...known,
        characters: [{ id: '1', name: 'kiemgia', info }],
        characters_at: '2026-11-20T08:00:00.000Z',
      },
    })
  })
  const card = (on: Page) => on.getByRole('region', { name: 'Ba bước cho người mới' })
  await signIn(page, newcomer.token)
  await page.goto('/home')
  await expect(card(page)).toContainText('đã vượt xa tân thủ')
  await expect(card(page).getByRole('link')).toHaveText(['Đổi lượng'])
  await page.reload()
  await expectSignedIn(page, newcomer.username)
  await expect(card(page)).toHaveCount(0)
})
