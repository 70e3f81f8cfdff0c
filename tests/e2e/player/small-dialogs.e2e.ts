import { accountStates } from '#tests/support/page-states/account-states.ts'
import { openState } from '#tests/support/page-states/page-state.ts'
import { visitorStates } from '#tests/support/page-states/visitor-states.ts'
import { expect, test } from './fixtures.ts'

/** Dialogs of visitors on a phone of 360 × 640. Any worker may take the next of these. */
test.describe.configure({ mode: 'parallel' })
test.use({ viewport: { width: 360, height: 640 }, contextOptions: { reducedMotion: 'reduce' } })

const NAMES = [
  'login',
  'login-second-factor',
  'register',
  'register-errors',
  'forgot',
  'forgot-phone-proved',
  'reset-password',
]

for (const name of NAMES) {
  test(`${name}: the button that sends the form is in view`, async ({ page, callers, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const state = [...visitorStates, ...accountStates].find((one) => one.name === name)
    if (!state) throw new Error(`There is no state ${name}`)
    await openState(page, state, callers)
    await expect(page.getByRole('dialog').locator('[type=submit]')).toBeInViewport({ ratio: 1 })
  })
}

test('what is agreed to stands above the button, and no field is covered by it', async ({ page }) => {
  await page.goto('/register', { waitUntil: 'networkidle' })
  const dialog = page.getByRole('dialog')
  for (const text of ['Điều khoản sử dụng', 'Chính sách quyền riêng tư'])
    await expect(dialog.getByRole('link', { name: text })).toBeInViewport({ ratio: 1 })
  const { y: actsTop } = (await dialog.locator('.modal-acts').boundingBox())!
  const fields = await dialog.getByRole('textbox').count()
  expect(fields).toBeGreaterThan(3)
  for (let step = 0; step < fields; step += 1) {
    const { y, height } = (await dialog.locator('input:focus').boundingBox())!
    expect(y).toBeGreaterThan(0)
    expect(y + height).toBeLessThanOrEqual(actsTop)
    await page.keyboard.press('Tab')
  }
})
