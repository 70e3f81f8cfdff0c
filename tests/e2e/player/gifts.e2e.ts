import type { Page } from '@playwright/test'
import { balanceLink, expect, registerTrader, signIn, statementLines, test } from './fixtures.ts'

const COINS = 30_000

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Chính' })
const wayToGift = (page: Page) => navigation(page).getByRole('link', { name: 'Quà tân thủ' })
const buyButton = (page: Page) => page.getByRole('button', { name: 'Mua gói quà' })
const pickCharacter = (page: Page) =>
  page.getByRole('group', { name: 'Nhân vật nhận quà' }).getByRole('radio').first().check()

test('a player buys one starter gift and sees it arrive', async ({ page, request, isMobile }) => {
  const player = await registerTrader(request, COINS)
  await signIn(page, player.token)
  await page.goto('/home')
  await wayToGift(page).click()

  await expect(buyButton(page)).toBeDisabled()
  await expect(page.getByText('Vui lòng chọn nhân vật và gói quà tân thủ')).toBeVisible()
  await page.getByRole('radio', { name: /Gói 49,999/ }).check()
  await expect(page.getByText('Bạn còn thiếu: 19,999, vui lòng nạp thêm tiền')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: /Nạp TCoin/ })).toHaveAttribute(
    'href',
    '/recharge?amount=19999',
  )
  await expect(buyButton(page)).toBeDisabled()
  await page.getByRole('radio', { name: /Gói 19,999/ }).check()
  await pickCharacter(page)
  await buyButton(page).click()

  const confirmation = page.getByRole('alertdialog', { name: 'Xác nhận mua quà tân thủ' })
  for (const text of ['5,999 lượng', '19,999,999 yên', 'Thú cưng', '10,001'])
    await expect(confirmation).toContainText(text)
  await confirmation.getByRole('button', { name: 'Mua gói quà' }).click()
  const done = page.getByRole('alertdialog', { name: 'Thành công' })
  await expect(done).toContainText('5,999 lượng')
  await expect(done).toContainText('Món đã vào game.', { timeout: 30_000 })
  await expect(done).toContainText('Số dư ví 10,001')
  await done.getByRole('button', { name: 'Xác nhận' }).click()

  const outcome = page.getByRole('heading', { name: 'Bạn đã mua quà tân thủ' })
  await expect(outcome).toBeFocused()
  await expect(outcome).toBeInViewport()
  await expect(page.getByRole('main')).toContainText('5,999 lượng')
  await expect(page.getByText('Đã giao', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(balanceLink(page)).toContainText('10,001')
  await expect(wayToGift(page)).toHaveCount(0)

  await page.reload()
  await expect(page.getByText('Đã giao', { exact: true })).toBeVisible()
  await expect(wayToGift(page)).toHaveCount(0)
  await balanceLink(page).click()
  await expect(statementLines(page, isMobile).first()).toContainText('Quà tân thủ')
})

test(
  'a gift taken on another device is not sold again',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    const player = await registerTrader(request, COINS)
    await signIn(page, player.token)
    await page.goto('/gift')
    await pickCharacter(page)
    await page.getByRole('radio', { name: /Gói 9,999/ }).check()
    const character_id = await page
      .getByRole('group', { name: 'Nhân vật nhận quà' })
      .getByRole('radio')
      .first()
      .inputValue()
    const elsewhere = await request.post('/api/user/buy-package', {
      headers: { authorization: `Bearer ${player.token}` },
      data: { character_id, package_id: 19_999 },
    })
    expect(elsewhere.status(), await elsewhere.text()).toBe(200)

    await buyButton(page).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Mua gói quà' }).click()
    await page
      .getByRole('alertdialog', { name: 'Thất bại' })
      .getByRole('button', { name: 'Xác nhận' })
      .click()
    await expect(page.getByText('Gói 19,999')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Bạn đã mua quà tân thủ' })).toBeVisible()
    await expect(balanceLink(page)).toContainText('10,001')
  },
)

test(
  'a player who is not activated is asked to activate first',
  { tag: '@long' },
  async ({ page, newcomer }) => {
    await signIn(page, newcomer.token)
    await page.goto('/gift')
    await pickCharacter(page)
    await page.getByRole('radio', { name: /Gói 9,999/ }).check()
    await expect(buyButton(page)).toBeDisabled()
    await page.getByRole('button', { name: /Kích hoạt ngay/ }).click()
    await expect(page.getByRole('dialog', { name: 'Kích hoạt tài khoản' })).toBeVisible()
  },
)
