import { everyNth } from '#tests/support/test-run.ts'
import type { Locator, Page } from '@playwright/test'
import { stateOf } from '#tests/support/page-states/all-states.ts'
import { openState } from '#tests/support/page-states/page-state.ts'
import { SMALL, ZOOMED } from './dialogs.ts'
import { expect, test } from './fixtures.ts'

/**
 * Dialogs on a phone of 360 × 640, and in a desktop's window at 200 %; first-tap.e2e.ts tests those with a form at both
 * sizes. Any worker may take the next of these.
 */
test.describe.configure({ mode: 'parallel' })
test.use({ viewport: SMALL, contextOptions: { reducedMotion: 'reduce' } })

const NAMES = ['login-second-factor', 'register-errors']

async function expectClearOfToast(page: Page, button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  const { y, height } = (await button.boundingBox())!
  const toast = (await page.locator('.toast').boundingBox())!
  expect(toast.y >= y + height || toast.y + toast.height <= y).toBe(true)
}

for (const name of NAMES) {
  test(`${name}: the button that sends the form is in view`, async ({ page, callers, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    await openState(page, stateOf(name), callers)
    await expect(page.getByRole('dialog').locator('[type=submit]')).toBeInViewport({ ratio: 1 })
  })
}

test.describe('in a desktop’s window at 200 %', () => {
  test.use({ viewport: ZOOMED, hasTouch: false, isMobile: false })

  test(
    'the button that saves a proved phone comes into view',
    { tag: '@long' },
    async ({ page, callers }) => {
      await openState(page, stateOf('change-phone'), callers)
      const [, phone] = await page.getByRole('textbox', { name: /^Số điện thoại/ }).all()
      await phone!.fill('0912345602')
      await page.getByLabel('Mã OTP').last().fill('123456')
      await expect(page.getByRole('button', { name: 'Lưu số điện thoại' })).toBeInViewport({ ratio: 1 })
    },
  )

  for (const window of everyNth([ZOOMED, { width: 360, height: 320 }], 2)) {
    test(`a toast covers no button in a window of ${window.height}`, async ({ page, callers }) => {
      await page.setViewportSize(window)
      await openState(page, stateOf('recovery-codes'), callers)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Sao chép' }).click()
      for (const name of ['Sao chép', 'Tôi đã lưu mã'])
        await expectClearOfToast(page, dialog.getByRole('button', { name }))
    })
  }

  test('the bar of a purchase covers no choice, nor does the tab bar', async ({ page, callers }) => {
    await openState(page, stateOf('exchange-nothing-chosen'), callers)
    const button = page.getByRole('main').getByRole('button', { name: 'Đổi lượng' })
    await expect(button).not.toBeInViewport()
    await button.scrollIntoViewIfNeeded()
    const { y, height } = (await button.boundingBox())!
    const tabs = (await page.getByRole('navigation', { name: 'Chính' }).boundingBox())!
    expect(y + height).toBeLessThanOrEqual(tabs.y)
  })
})

test('a toast covers no button of a dialog that is as high as the screen', async ({ page, callers }) => {
  await openState(page, stateOf('change-email'), callers)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email mới').fill('moi@example.com')
  await dialog.getByRole('button', { name: 'Gửi mã' }).last().click()
  await expectClearOfToast(page, dialog.getByRole('button', { name: 'Lưu email' }))
})

test('what is agreed to is seen with the button', { tag: '@long' }, async ({ page }) => {
  await page.goto('/register', { waitUntil: 'networkidle' })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nhập lại mật khẩu').focus()
  await dialog.getByRole('button', { name: 'Đăng ký', exact: true }).scrollIntoViewIfNeeded()
  for (const text of ['Điều khoản sử dụng', 'Chính sách quyền riêng tư'])
    await expect(dialog.getByRole('link', { name: text })).toBeInViewport({ ratio: 1 })
})
