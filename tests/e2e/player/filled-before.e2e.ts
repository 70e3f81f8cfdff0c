import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Opens a page whose scripts come when they are let go: as on a slow connection. */
async function openWithoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  const scripts = Promise.withResolvers<void>()
  await page.route('**/static/js/**', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto(path)
  return async () => {
    scripts.resolve()
    await expect(page.locator('#root[data-ready]')).toBeAttached()
  }
}

test('what is filled in before the scripts come is what the form sends, and pressing Enter waits for them', async ({
  page,
  consoleErrors,
}) => {
  // No code was sent to that address.
  consoleErrors.expect(/status of 422/)
  const letScriptsCome = await openWithoutScripts(page, '/help')
  const form = page.getByRole('form', { name: 'Gửi yêu cầu' })
  await form.getByLabel('Bạn cần giúp về việc gì?').selectOption('Không đăng nhập được')
  await form.getByLabel('Chuyện gì đã xảy ra?').fill('Tôi quên mật khẩu.')
  await form.getByLabel('Email của bạn').fill('ai.do@thu.test')
  await form.getByLabel('Mã OTP').fill('123 456')
  const sent = page.waitForRequest('**/api/help/cases')
  await form.getByLabel('Mã OTP').press('Enter')
  await letScriptsCome()
  expect((await sent).postDataJSON()).toMatchObject({
    about_kind: 'sign-in',
    text: 'Tôi quên mật khẩu.',
    email: 'ai.do@thu.test',
    code: '123456',
  })
  await expect(page).toHaveURL(/\/help$/)
  await expect(form.getByLabel('Chuyện gì đã xảy ra?')).toHaveValue('Tôi quên mật khẩu.')
})

test('choices and amounts made before the scripts come count', async ({ page }) => {
  let letScriptsCome = await openWithoutScripts(page, '/gem-calculator')
  await page.getByLabel('Từ cấp').selectOption('3')
  await page.getByLabel('Đến cấp').selectOption('7')
  await page.getByLabel('Giá mỗi viên ngọc').fill('2500')
  await letScriptsCome()
  await expect(page.getByRole('region', { name: 'Tổng cộng' })).toContainText('4,500,000')
  await expect(page.getByLabel('Giá mỗi viên ngọc')).toHaveValue('2,500')
  await page.unrouteAll()

  letScriptsCome = await openWithoutScripts(page, '/exchange')
  const amount = page.getByRole('radio', { name: /50,000/ })
  await amount.check()
  await letScriptsCome()
  await page.getByRole('radio', { name: /20,000/ }).focus()
  await expect(amount).toBeChecked()
})
