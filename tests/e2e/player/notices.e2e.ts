import type { APIRequestContext, Page } from '@playwright/test'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { changing } from '#tests/support/page-states/page-state.ts'
import { buyLuong } from './accounts.ts'
import { expectAccessibleInBothSchemes } from '../accessible.ts'
import { balanceLink, expect, order, pay, registerPlayer, registerTrader, signIn, test } from './fixtures.ts'

test.use({ hasLiveBell: true })

/** From the commit on; a poll comes after sixty. */
const LIVE_MS = 2_000

const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Thông báo' })
const unread = (page: Page) => page.getByRole('banner').getByText(/thông báo chưa đọc$/)
const panel = (page: Page) => page.getByRole('dialog', { name: 'Thông báo' })
const streamOf = (page: Page) =>
  page.waitForResponse((answer) => answer.url().endsWith('/api/notices/events') && answer.ok())

test('a credit rings the bell of an open page within two seconds, and is read in its panel', async ({
  page,
  request,
}) => {
  const { token } = await registerPlayer(request)
  const { code } = await order(request, token, { amount: 50_000 })
  await signIn(page, token)
  const stream = streamOf(page)
  await page.goto('/home')
  await stream
  await expect(unread(page)).toHaveCount(0)

  await pay(request, token, { code, amount: 50_000 })
  await expect(unread(page)).toHaveText('1 thông báo chưa đọc', { timeout: LIVE_MS })
  await expect(balanceLink(page)).toContainText('50,000')

  await bell(page).press('Enter')
  const notice = panel(page).getByRole('link', { name: /^Chưa đọc\. Đã cộng 50,000 TCoin/ })
  await expect(notice).toContainText(`Đơn nạp ${code} đã được thanh toán.`)
  await expectAccessibleInBothSchemes(page)
  for (const part of [bell(page), notice, panel(page).getByRole('button', { name: 'Đánh dấu đã đọc' })]) {
    const box = await part.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
  await panel(page).getByRole('button', { name: 'Đánh dấu đã đọc' }).click()
  await expect(panel(page).getByRole('link', { name: /^Đã cộng 50,000 TCoin/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(bell(page)).toBeFocused()
  await expect(unread(page)).toHaveCount(0)
  await page.reload()
  await expect(bell(page)).toBeVisible()
  await expect(unread(page)).toHaveCount(0)
})

test('a credit that comes before the bell has its stream changes the page too', async ({ page, request }) => {
  const { token } = await registerPlayer(request)
  const { code } = await order(request, token, { amount: 50_000 })
  await signIn(page, token)
  const paid = Promise.withResolvers<void>()
  await page.route('**/api/notices/events', async (route) => {
    await paid.promise
    await route.continue()
  })
  await page.goto('/home')
  await expect(balanceLink(page)).toHaveText(/^Số dư: 0/)
  await pay(request, token, { code, amount: 50_000 })
  paid.resolve()
  await expect(unread(page)).toHaveText('1 thông báo chưa đọc')
  await expect(balanceLink(page)).toContainText('50,000', { timeout: LIVE_MS })
})

test(
  'a notice leads to what it is about and is read then; a kind that is off rings no more',
  { tag: '@long' },
  async ({ page, request }) => {
    const { token } = await registerPlayer(request)
    for (const amount of [50_000, 20_000]) {
      const { code } = await order(request, token, { amount })
      await pay(request, token, { code, amount })
    }
    await signIn(page, token)
    await page.goto('/community')
    await expect(unread(page)).toHaveText('2 thông báo chưa đọc')
    await bell(page).click()
    await panel(page)
      .getByRole('link', { name: /Đã cộng 20,000 TCoin/ })
      .click()
    await expect(page).toHaveURL(/\/recharge\/[A-Z0-9]+$/)
    await expect(panel(page)).toBeHidden()
    await page.goBack()
    await expect(page).toHaveURL(/\/community$/)
    await expect(unread(page)).toHaveText('1 thông báo chưa đọc')

    await bell(page).click()
    await panel(page).getByRole('link', { name: 'Xem tất cả' }).click()
    await expect(page).toHaveURL(/\/user\/notices$/)
    const choice = page.getByRole('checkbox', { name: 'Nạp TCoin' })
    await expect(choice).toBeChecked()
    await choice.uncheck()
    await expect(choice).not.toBeChecked()
    await page.reload()
    await expect(choice).not.toBeChecked()
    const { code } = await order(request, token, { amount: 30_000 })
    const stream = streamOf(page)
    await pay(request, token, { code, amount: 30_000 })
    await stream
    await expect(unread(page)).toHaveText('1 thông báo chưa đọc')
    await expect(page.getByRole('main').getByText('Đã cộng 30,000 TCoin')).toHaveCount(0)
  },
)

test(
  'while a page follows a purchase the bell has no stream of its own, and rings with the purchase',
  { tag: '@long' },
  async ({ page, request }) => {
    const { token } = await registerTrader(request, 30_000)
    await buyLuong(request, token)
    // The page goes on following it.
    await changing(/\/api\/user\/deliveries\?/, ({ data, ...page }: { data: object[] }) => ({
      ...page,
      data: data.map((delivery) => ({ ...delivery, status: 'pending', settled_at: null })),
    }))(page)
    await signIn(page, token)
    const stream = streamOf(page)
    await page.goto('/user/profile')
    await stream
    await expect(unread(page)).toHaveText('2 thông báo chưa đọc')

    const closed = page.waitForEvent('requestfailed', (sent) => sent.url().endsWith('/api/notices/events'))
    const opened = page.waitForResponse(/\/user\/deliveries\/events$/)
    await page.getByRole('main').getByRole('link', { name: 'Món đã mua' }).click()
    await opened
    await closed
    await buyAndHear(request, token)
    await expect(unread(page)).toHaveText('3 thông báo chưa đọc', { timeout: REFETCH_INTERVAL_MS / 2 })

    const again = streamOf(page)
    await page.getByRole('main').getByRole('link', { name: 'Hồ sơ' }).click()
    await again
  },
)

/** With its notice: the embedded game takes goods in at once. */
async function buyAndHear(request: APIRequestContext, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  await buyLuong(request, token)
  await expect(async () => {
    const answer = await request.get('/api/notices', { headers })
    const { data } = (await answer.json()) as { data: { kind: string }[] }
    expect(data[0]?.kind).toBe('delivery')
  }).toPass()
}
