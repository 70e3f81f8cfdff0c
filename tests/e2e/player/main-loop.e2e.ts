import type { Page } from '@playwright/test'
import {
  balanceLink,
  expect,
  freshUsername,
  readQr,
  sendRegistration,
  statementLines,
  test,
  expectSignedIn,
} from './fixtures.ts'

/** Shorter than the ten seconds between two reads: what shows within it came by the stream. */
const LIVE_MS = 6_000

test('a visitor registers, recharges, activates and exchanges', async ({ page, context, isMobile }) => {
  const username = freshUsername()
  await page.goto('/home')
  await page.getByRole('banner').getByRole('link', { name: 'Đăng ký' }).click()
  await sendRegistration(page, username)
  await expectSignedIn(page, username)
  await expect(balanceLink(page)).toContainText('0')

  const code = await orderByVietcombank(page)
  await expectReadableQr(page, code)

  const bank = await context.newPage()
  await bank.goto(`/sandbox?code=${code}`)
  await bank.getByRole('button', { name: 'Chuyển khoản thử' }).click()
  // Once, on the page itself: what happened, what the player has now, and what to do next.
  await expect(page.getByRole('heading', { name: 'Nạp TCoin thành công' })).toBeFocused({ timeout: LIVE_MS })
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText(
    /Nạp TCoin thành công[\s\S]*Đã nhận tiền[\s\S]*Đã cộng TCoin[\s\S]*Số dư ví 50,000[\s\S]*Đổi lượng/,
  )
  await bank.close()
  await page.getByRole('link', { name: '← Nạp TCoin' }).click()
  await expect(balanceLink(page)).toContainText('50,000')

  await activate(page)
  await expect(balanceLink(page)).toContainText('30,000')

  await exchange(page)
  await expect(balanceLink(page)).toContainText('10,000')
  await expect(page.getByText('Đã giao', { exact: true })).toBeVisible({ timeout: 30_000 })

  await balanceLink(page).click()
  const lines = statementLines(page, isMobile)
  await expect(lines).toHaveCount(3)
  const [exchanged, activated, recharged] = await lines.allInnerTexts()
  expect(exchanged).toMatch(/Đổi lượng[\s\S]*6,600 lượng[\s\S]*10,000/)
  expect(exchanged).toContain('−20,000')
  expect(exchanged).toContain('Đã giao')
  expect(activated).toMatch(/Kích hoạt[\s\S]*30,000/)
  expect(activated).toContain('−20,000')
  expect(recharged).toMatch(/Nạp TCoin[\s\S]*50,000/)
  expect(recharged).toContain(code)
})

async function orderByVietcombank(page: Page): Promise<string> {
  await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Nạp TCoin' }).click()
  await page.getByRole('radio', { name: /Vietcombank/ }).check()
  await page.getByRole('button', { name: '50,000', exact: true }).click()
  await page.getByRole('button', { name: 'Tạo mã QR' }).click()
  await page.waitForURL(/\/recharge\/[A-Z0-9]+$/)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** What a phone's camera would see of the picture on the screen. */
async function expectReadableQr(page: Page, code: string): Promise<void> {
  const picture = page.getByRole('img', { name: new RegExp(code) })
  await expect(picture).toBeVisible()
  // A message at the bottom of a small screen may still cover it.
  await expect(async () => {
    const text = readQr(await picture.screenshot())
    for (const part of ['970436', '0011000000001', '540550000', code]) expect(text).toContain(part)
  }).toPass()
}

async function activate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Kích hoạt' }).click()
  const modal = page.getByRole('dialog', { name: 'Kích hoạt tài khoản' })
  await modal.getByRole('button', { name: 'Kích hoạt', exact: true }).click()
  await confirmSuccess(page)
  await expect(page.getByText('Tài khoản chưa kích hoạt')).toBeHidden()
}

async function exchange(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Đổi lượng' }).click()
  const button = page.getByRole('button', { name: 'Đổi lượng' })
  await expect(button).toBeDisabled()
  await expect(page.getByText('Vui lòng chọn nhân vật và mệnh giá')).toBeVisible()
  await page.getByRole('group', { name: 'Nhân vật nhận lượng' }).getByRole('radio').first().check()
  await page.getByRole('radio', { name: /50,000/ }).check()
  await expect(page.getByText('Bạn còn thiếu: 20,000, vui lòng nạp thêm tiền')).toBeVisible()
  await page.getByRole('radio', { name: /20,000/ }).check()
  await button.click()
  const confirmation = page.getByRole('alertdialog', { name: 'Xác nhận đổi lượng' })
  await expect(confirmation).toContainText('6,600 lượng')
  await confirmation.getByRole('button', { name: 'Đổi lượng' }).click()
  await confirmSuccess(page)
}

async function confirmSuccess(page: Page): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: 'Thành công' })
  await dialog.getByRole('button', { name: 'Xác nhận' }).click()
  await expect(dialog).toBeHidden()
}
