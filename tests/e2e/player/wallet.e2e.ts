import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { formatNumber } from '#contract/format.ts'
import { seedPlayers } from '#seeds/players.ts'
import { balanceLink, expect, loginByCall, readQr, signIn, test, whoIs, order } from './fixtures.ts'

const expectBalance = (page: Page, balance: number) =>
  expect(balanceLink(page)).toContainText(formatNumber(balance))

test(
  'an exchange whose answer was lost is bought once',
  { tag: '@long' },
  async ({ page, request, trader, consoleErrors }) => {
    consoleErrors.expect(/ERR_FAILED/)
    const { balance } = await whoIs(request, trader.token)
    await signIn(page, trader.token)
    let tries = 0
    await page.route('**/api/exchange/store', async (route) => {
      tries += 1
      const answer = await route.fetch()
      await (tries === 1 ? route.abort() : route.fulfill({ response: answer }))
    })
    await page.goto('/exchange')
    await page.getByRole('group', { name: 'Nhân vật nhận lượng' }).getByRole('radio').first().check()
    await page.getByRole('radio', { name: /20,000/ }).check()
    await page.getByRole('button', { name: 'Đổi lượng' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
    // The page repeats the request by itself, with the same key.
    await expect(page).toHaveURL(/\/user\/deliveries\/[\w-]+$/)
    expect(tries).toBe(2)
    await expectBalance(page, balance - 20_000)
    await page.goto('/exchange')
    await expectBalance(page, balance - 20_000)
    await expect(page.getByText('6,600 lượng cho')).toHaveCount(1)
  },
)

test.describe('an order', () => {
  test('copies its details and saves its picture', async ({ page, context, newcomer }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, newcomer.token)
    const code = await openOrder(page)
    for (const [label, text] of [
      ['nội dung chuyển khoản', code],
      ['số tiền', '50000'],
    ] as const) {
      await page.getByRole('button', { name: `Sao chép ${label}` }).click()
      await expect(page.getByText('Đã sao chép')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    }
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Lưu mã QR' }).click()
    const saved = await saving
    await expect(page.getByRole('status').filter({ hasText: 'Đang tải mã QR về máy' })).toBeVisible()
    await expect(page.getByRole('timer')).toContainText('Còn lại')
    for (const name of ['VietQR', 'napas 247']) await expect(page.getByText(name).first()).toBeVisible()
    expect(saved.suggestedFilename()).toBe(`nap-tcoin-${code}.png`)
    const text = readQr(await readFile(await saved.path()))
    for (const part of ['970416', '540550000', code]) expect(text).toContain(part)
    await cancelOrder(page)
  })

  test('of another player is not found', async ({ page, request, trader, newcomer, consoleErrors }) => {
    consoleErrors.expect(/status of 404/)
    const { code } = await order(request, trader.token, { channel: 3, amount: 20_000 })
    await signIn(page, newcomer.token)
    await page.goto(`/recharge/${code}`)
    await expect(page.getByText('Trang bạn đang tìm không tồn tại')).toBeVisible()
  })
})

async function openOrder(page: Page): Promise<string> {
  await page.goto('/recharge')
  await page.getByRole('radio', { name: /ACB/ }).check()
  await page.getByLabel('Số tiền (VND)').fill('50000')
  await page.getByRole('button', { name: 'Tạo mã QR' }).click()
  await page.waitForURL(/\/recharge\/[A-Z0-9]+$/)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

async function cancelOrder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Hủy đơn' }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Hủy đơn nạp này?' })
  await confirmation.getByRole('button', { name: 'Hủy đơn' }).click()
  await expect(page.getByRole('heading', { name: 'Đơn nạp đã hủy' })).toBeVisible()
}

test('a changed balance is shown in each tab', async ({ page, context, request, trader, newcomer }) => {
  const pay = async () => {
    const headers = { authorization: `Bearer ${trader.token}`, 'idempotency-key': crypto.randomUUID() }
    const data = { payee: newcomer.username, amount: 1_000, activate: false }
    const answer = await request.post('/api/user/transfer', { headers, data })
    expect(answer.status(), await answer.text()).toBe(200)
  }
  const { balance } = await whoIs(request, trader.token)
  await signIn(page, trader.token)
  await page.goto('/user/transfer')
  const other = await context.newPage()
  await other.goto('/community')
  await expect(balanceLink(other)).toContainText(formatNumber(balance))

  // In another tab of this browser.
  await page.getByLabel('Tên đăng nhập người nhận').fill(newcomer.username)
  await page.getByLabel('Số TCoin').fill('1000')
  await page.getByRole('button', { name: 'Tiếp tục' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Chuyển TCoin' }).click()
  await expect(balanceLink(page)).toContainText(formatNumber(balance - 1_000))
  await expect(balanceLink(other)).toContainText(formatNumber(balance - 1_000))

  // On another device, while nobody looked at the tab.
  await pay()
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(balanceLink(other)).toContainText(formatNumber(balance - 2_000))
  await other.close()
})

test('a visitor sees the offers and is asked to log in', async ({ page, request }) => {
  const html = await (await request.get('/exchange')).text()
  for (const figure of ['10,000', '3,300 lượng', 'Khuyến mãi +10% lượng']) expect(html).toContain(figure)
  await page.goto('/exchange')
  await expect(page.getByRole('button', { name: 'Đổi lượng' })).toBeDisabled()
  await expect(page.getByText('Vui lòng đăng nhập để đổi lượng')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Đăng nhập' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Đăng nhập' })).toBeVisible()
})

test('a player ends the session of another device', async ({ page, request, newcomer }) => {
  const other = await loginByCall(request, newcomer)
  await signIn(page, newcomer.token)
  await page.goto('/user/profile')
  const ends = page.getByRole('button', { name: /^Đăng xuất khỏi thiết bị này/ })
  await expect(ends.first()).toBeVisible()
  // A few are shown at first; of the shared player there may be more.
  const all = page.getByRole('button', { name: /^Xem tất cả/ })
  if (await all.isVisible()) await all.click()
  const count = await ends.count()
  // The newest session comes first.
  await ends.first().click()
  await expect(ends).toHaveCount(count - 1)
  const answer = await request.post('/api/auth/verify', { data: { access_token: other } })
  expect(answer.status()).toBe(401)
  expect((await whoIs(request, newcomer.token)).activated).toBe(false)
})

test('a banned player reads why and until when, and cannot exchange', async ({ page, request }) => {
  const banned = seedPlayers.find(({ ban }) => ban)!
  await signIn(page, await loginByCall(request, banned))
  await page.goto('/exchange')
  await expect(page.getByText(/^Tài khoản bị khóa giao dịch đến \d\d\/\d\d\/\d{4}/)).toBeVisible()
  await expect(page.getByText(/Lý do: .*Rừng Trúc Đêm/)).toBeVisible()
  await page.getByRole('radio', { name: /daotrang/ }).check()
  await page.getByRole('radio', { name: /10,000/ }).check()
  await expect(page.getByRole('button', { name: 'Đổi lượng' })).toBeDisabled()
  await expect(page.getByText('Tài khoản đang bị khóa giao dịch', { exact: true })).toBeVisible()
})
