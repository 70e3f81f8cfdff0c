import type { Page } from '@playwright/test'
import { formatNumber } from '#contract/format.ts'
import { balanceLink, expect, registerPlayer, signIn, test, whoIs } from './fixtures.ts'

const expectBalance = (page: Page, balance: number) =>
  expect(balanceLink(page)).toContainText(formatNumber(balance))

const success = (page: Page) => page.getByRole('alertdialog', { name: 'Thành công' })

test.describe('a transfer', () => {
  test('shows errors beside the field and is confirmed', async ({ page, request, trader }) => {
    const { balance } = await whoIs(request, trader.token)
    const payee = await registerPlayer(request)
    await signIn(page, trader.token)
    await page.goto('/user/transfer')
    const name = page.getByLabel('Tên đăng nhập người nhận')
    const amount = page.getByLabel('Số TCoin')

    await name.fill(trader.username.toUpperCase())
    await expect(page.getByRole('alert')).toHaveCount(0)
    await name.blur()
    await expect(page.getByText('Bạn không thể chuyển TCoin cho chính mình')).toBeVisible()
    await amount.pressSequentially(String(balance + 1))
    await expect(amount).toHaveValue(formatNumber(balance + 1))
    await amount.blur()
    const missing = page.getByText('Bạn còn thiếu: 1, vui lòng nạp thêm tiền')
    await expect(missing.locator('img')).toHaveAttribute('src', '/images/tcoin.svg')
    await expect(page.getByRole('link', { name: 'Nạp TCoin còn thiếu' })).toHaveAttribute(
      'href',
      '/recharge?amount=1',
    )

    await expect(page.getByLabel('Kích hoạt giúp người nhận')).toHaveCount(0)
    await name.fill(payee.username.toUpperCase())
    await amount.fill('25000')
    await expect(page.getByText('Chưa kích hoạt')).toBeVisible()
    await page.getByLabel('Kích hoạt giúp người nhận').check()
    const confirmation = page.getByRole('alertdialog', { name: 'Xác nhận chuyển TCoin' })
    // As a phone's keyboard sends a form. A key pressed for too long has not confirmed anything.
    await amount.press('Enter')
    await expect(confirmation).toContainText(payee.username)
    await page.keyboard.press('Enter')
    await expect(confirmation).toBeHidden()
    await amount.press('Enter')
    await expect(confirmation).toContainText('25,000')
    // As at 200 %: the question and its buttons stay in sight where the dialog is higher than the screen.
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 640, height: 300 })
    await expect(confirmation.getByRole('heading')).toBeInViewport({ ratio: 1 })
    await expect(confirmation.getByRole('button', { name: 'Chuyển TCoin' })).toBeInViewport({ ratio: 1 })
    await confirmation.getByRole('button', { name: 'Quay lại' }).focus()
    await expect(confirmation.getByRole('heading')).toBeInViewport({ ratio: 1 })
    await page.setViewportSize(size)
    await confirmation.getByRole('button', { name: 'Chuyển TCoin' }).click()
    await success(page).getByRole('button', { name: 'Xác nhận' }).click()

    await expectBalance(page, balance - 25_000)
    await expect(page.getByText(`Đã chuyển 25,000 TCoin cho ${payee.username}.`)).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(await whoIs(request, payee.token)).toMatchObject({ balance: 5_000, activated: true })
  })

  test('does not move under a press that takes the focus from a field', async ({ page, trader }) => {
    await signIn(page, trader.token)
    await page.goto('/user/transfer')
    await page.getByLabel('Tên đăng nhập người nhận').focus()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const label = page.getByText('Số TCoin', { exact: true })
    await label.hover()
    await page.mouse.down()
    // As a finger or a mouse does: what the lost focus moves has the time to.
    await page.waitForTimeout(200)
    await page.mouse.up()
    await expect(page.getByLabel('Số TCoin')).toBeFocused()
  })

  test('to an unknown player is refused at its field', async ({ page, request, trader, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const { balance } = await whoIs(request, trader.token)
    await signIn(page, trader.token)
    await page.goto('/user/transfer')
    const name = page.getByLabel('Tên đăng nhập người nhận')
    await name.fill('khongcoai123')
    await page.getByLabel('Số TCoin').fill('1000')
    await expect(page.getByRole('alert')).toHaveText('Không tìm thấy người nhận')
    await page.getByRole('button', { name: 'Tiếp tục' }).click()
    await expect(name).toBeFocused()
    await expect(name).toHaveAccessibleDescription('Không tìm thấy người nhận')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    // Also when the button is pressed before the field was left.
    await name.fill('khongcoai124')
    await page.getByRole('button', { name: 'Tiếp tục' }).click()
    await expect(name).toHaveAccessibleDescription('Không tìm thấy người nhận')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expectBalance(page, balance)
  })

  test('shows who is paid and remembers them', async ({ page, request, trader }) => {
    const { balance } = await whoIs(request, trader.token)
    const payee = await registerPlayer(request)
    await signIn(page, trader.token)
    await page.goto('/user/transfer')
    let lookUps = 0
    page.on('request', (sent) => (lookUps += sent.url().endsWith('/user/transfer/payee') ? 1 : 0))
    const name = page.getByLabel('Tên đăng nhập người nhận')
    const amount = page.getByLabel('Số TCoin')
    const card = page.getByText('Chưa kích hoạt')
    await name.fill(payee.username)
    await name.blur()
    await expect(card).toBeVisible()
    await expect(page.getByText(/^Nhân vật .{1,3}\*\*\*$/)).toBeVisible()
    await name.fill('')
    await expect(card).toHaveCount(0)
    await name.fill(payee.username)
    await name.blur()
    await expect(card).toBeVisible()
    expect(lookUps).toBe(1)
    await amount.fill('20000')
    await page.getByLabel('Kích hoạt giúp người nhận').check()
    await page.getByRole('button', { name: 'Tiếp tục' }).click()
    const confirmation = page.getByRole('alertdialog', { name: 'Xác nhận chuyển TCoin' })
    await expect(confirmation.locator('img[src*="/images/heads/"]')).toBeVisible()
    await confirmation.getByRole('button', { name: 'Chuyển TCoin' }).click()
    await success(page).getByRole('button', { name: 'Xác nhận' }).click()

    const recent = page.getByRole('group', { name: 'Người nhận gần đây' })
    await expect(recent.getByRole('button').first()).toHaveText(payee.username)
    await recent.getByRole('button').first().click()
    await expect(name).toHaveValue(payee.username)
    await expect(page.getByText('Đã kích hoạt')).toBeVisible()
    await expect(page.getByLabel('Kích hoạt giúp người nhận')).toHaveCount(0)
    expect(lookUps).toBe(1)
    await expectBalance(page, balance - 20_000)
  })

  test(
    'that is refused shows the reason at its field',
    { tag: '@long' },
    async ({ page, request, trader, consoleErrors }) => {
      consoleErrors.expect(/status of (422|429)/)
      const payee = await registerPlayer(request)
      await signIn(page, trader.token)
      await page.goto('/user/transfer')
      const amount = page.getByLabel('Số TCoin')
      await page.getByLabel('Tên đăng nhập người nhận').fill(payee.username)
      await amount.fill('1000')
      const message = 'Hạn mức chuyển mỗi ngày là 5,000,000 TCoin, hôm nay bạn còn được chuyển 0 TCoin'
      const refusal = {
        code: 'LIMIT_EXCEEDED',
        message,
        report: true,
        errors: { amount: [message] },
        requestId: 'thu-1',
      }
      await page.route('**/api/user/transfer', (route) => route.fulfill({ status: 422, json: refusal }))
      await page.getByRole('button', { name: 'Tiếp tục' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Chuyển TCoin' }).click()
      await page
        .getByRole('alertdialog', { name: 'Thất bại' })
        .getByRole('button', { name: 'Xác nhận' })
        .click()
      await expect(amount).toHaveAccessibleDescription(new RegExp(message))

      const tooMany = { code: 'RATE_LIMITED', message: '', report: true, requestId: 'thu-2' }
      await page.route('**/api/user/transfer/payee', (route) => route.fulfill({ status: 429, json: tooMany }))
      await page.getByLabel('Tên đăng nhập người nhận').fill('nguoithu21')
      await amount.focus()
      await expect(page.getByText('Bạn đã tra nhiều người nhận trong một giờ')).toBeVisible()
    },
  )
})
