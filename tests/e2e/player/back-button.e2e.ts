import { readdirSync, readFileSync } from 'node:fs'
import { MODAL_TITLES } from '#web/parts/modals/modal-store.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { stateOf } from '#tests/support/page-states/all-states.ts'
import { openState } from '#tests/support/page-states/page-state.ts'
import { expectClosedByBack, FORM_DIALOGS, inHistory } from './dialogs.ts'
import { expect, test, sendLogin } from './fixtures.ts'
import { hydrated, settled } from './measures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

test('the back button closes a modal, stays on its page, and leaves nothing behind', async ({ page }) => {
  await page.goto('/community')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Giải đấu' }).click()
  await expect(page).toHaveURL(/\/tournaments$/)
  const banner = page.getByRole('banner')
  const modals = page.locator('dialog[open]')
  await banner.getByRole('link', { name: 'Đăng nhập' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Đăng ký' }).click()
  await expect(page.getByRole('dialog', { name: 'Đăng ký tài khoản' })).toBeVisible()

  await page.goBack()
  await expect(modals).toHaveCount(0)
  await expect(page).toHaveURL(/\/tournaments$/)

  // Closed by hand, it takes its entry along: the next step back leads to the page before.
  await banner.getByRole('link', { name: 'Đăng nhập' }).click()
  await page.keyboard.press('Escape')
  await expect(modals).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/community$/)
  await page.goForward()
  await expect(page).toHaveURL(/\/tournaments$/)
  await expect(modals).toHaveCount(0)
})

test('the back button closes the menu of a phone, and its links lead on', async ({ page }) => {
  await page.goto('/community')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Giải đấu' }).click()
  await expect(page).toHaveURL(/\/tournaments$/)
  const button = page.getByRole('banner').getByRole('button', { name: 'Danh mục', exact: true })
  const menu = page.getByRole('navigation', { name: 'Danh mục' })
  await button.click()
  await expect(menu).toBeVisible()
  await inHistory(page, 1)
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(page).toHaveURL(/\/tournaments$/)
  await page.goForward()
  await inHistory(page, 0)
  await expect(menu).toBeHidden()

  await button.click()
  await inHistory(page, 1)
  await menu.getByRole('link', { name: 'Tính nâng ngọc' }).click()
  await expect(page).toHaveURL(/\/gem-calculator$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/tournaments$/)
  await expect(menu).toBeHidden()
  await button.click()
  await inHistory(page, 1)
  await page.keyboard.press('Escape')
  await inHistory(page, 0)
  await page.goBack()
  await expect(page).toHaveURL(/\/community$/)
})

test('the back button after a login from /login leads to the home page', async ({ page, newcomer }) => {
  await page.goto('/community')
  await page.goto('/login')
  const login = page.getByRole('dialog', { name: 'Đăng nhập' })
  await expect(page).toHaveURL(/\/home$/)
  await expect(login).toBeVisible()
  // The dialog's own entry of the history follows its first rendering.
  await page.waitForFunction(() => (history.state as { dialogs?: number } | null)?.dialogs === 1)
  await page.goBack()
  await expect(login).toBeHidden()
  await expect(page).toHaveURL(/\/home$/)

  await page.goto('/user/profile')
  await sendLogin(login, newcomer)
  await expect(page).toHaveURL(/\/user\/profile$/)
  await expect(page.locator('dialog[open]')).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.locator('dialog[open]')).toHaveCount(0)
})

test('a new page begins at its top, and back where it was left', async ({ page }) => {
  await page.goto('/home')
  const post = page.getByRole('main').getByRole('heading', { level: 3 }).last()
  await post.scrollIntoViewIfNeeded()
  await hydrated(page.getByRole('banner').getByRole('link').first())
  // Pictures and the second weight of the font move what has been scrolled past.
  await settled(page)
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(300)
  await post.getByRole('link').click()
  await expect(page).not.toHaveURL(/\/home$/)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/home$/)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left)
})

/** The other dialogs of the player site, by their file, and where each is shown. */
const dialogs: Record<string, string[]> = {
  'features/accounts/change-contacts.tsx': ['change-phone'],
  // Its form answers, and the dialog closes itself.
  'features/accounts/second-factor.tsx': ['second-factor-off'],
  'features/recharge/order-actions.tsx': ['order-cancel'],
  'features/tournaments/own-team.tsx': ['tournament-leave'],
  'features/transfers/transfer-sheet.tsx': ['transfer-confirm'],
  'parts/purchase/confirm-purchase.tsx': ['exchange-confirm', 'gift-confirm'],
  'shell/bell.tsx': ['notices-panel'],
  'shell/dialog-host.tsx': ['exchange-done', 'exchange-arrived', 'exchange-field-errors'],
  'shell/modal-host.tsx': ['activate'],
}

test('every dialog of the site is listed here', () => {
  const listed = [...Object.entries(dialogs), ...Object.entries(FORM_DIALOGS)]
  const files = readdirSync('src/web', { recursive: true, encoding: 'utf8' })
  const found = files.filter((file) => file.endsWith('.tsx') && dialogsIn(file) > 0)
  const where =
    '`dialogs` of tests/e2e/player/back-button.e2e.ts, or FORM_DIALOGS of dialogs.ts if it has a form'
  expect(listProblems({ found, listed: [...new Set(listed.map(([file]) => file))] }, where)).toEqual([])
  for (const file of found) {
    const names = listed.flatMap(([other, states]) => (other === file ? states : []))
    expect(names.length, `${file} has more dialogs than are listed in ${where}`).toBeGreaterThanOrEqual(
      dialogsIn(file),
    )
  }
  const modals = listed.flatMap(([, states]) => states.flatMap((name) => stateOf(name).modal ?? []))
  expect(new Set(modals)).toEqual(new Set(Object.keys(MODAL_TITLES)))
})

const dialogsIn = (file: string) =>
  readFileSync(`src/web/${file}`, 'utf8').match(/<(Dialog|ConfirmDialog|dialog)\s/g)?.length ?? 0

// The dialogs are of one make; each is opened with all cases.
for (const name of everyNth(Object.values(dialogs).flat(), 9)) {
  test(`back closes the dialog, forward opens nothing: ${name}`, async ({ page, callers, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    await openState(page, stateOf(name), callers)
    await expectClosedByBack(page)
  })
}

test(
  'back closes the upper of two dialogs and leaves the other',
  { tag: '@long' },
  async ({ page, callers, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    await openState(page, stateOf('change-password'), callers)
    const form = page.getByRole('dialog', { name: 'Đổi mật khẩu' })
    await form.getByLabel('Mật khẩu hiện tại').fill('khong-phai-9')
    await form.getByLabel('Mật khẩu mới', { exact: true }).fill('matkhau-moi-9')
    await form.getByLabel('Nhập lại mật khẩu mới').fill('matkhau-moi-9')
    await form.getByRole('button', { name: 'Đổi mật khẩu' }).click()
    const refusal = page.getByRole('alertdialog', { name: 'Thất bại' })
    await expect(refusal).toBeVisible()
    await inHistory(page, 2)
    await page.goBack()
    await expect(refusal).toBeHidden()
    await expect(form.getByLabel('Mật khẩu mới', { exact: true })).toHaveValue('matkhau-moi-9')
    await page.goBack()
    await expect(form).toBeHidden()
    await expect(page).toHaveURL(/\/user\/profile$/)
  },
)

test(
  'a link in a dialog is followed when its page arrives before the browser has left the dialog’s entry',
  { tag: '@long' },
  async ({ page, callers }) => {
    await openState(page, stateOf('exchange-done'), callers)
    await inHistory(page, 1)
    let isStepping = false
    await page.exposeFunction('onStep', () => {
      isStepping = true
    })
    await page.evaluate(() => {
      const go = history.go.bind(history)
      const { onStep } = window as unknown as { onStep: () => Promise<void> }
      history.go = (delta) => void onStep().then(() => setTimeout(() => go(delta), 300))
    })
    await page.route('**/*.js', async (route) => {
      await expect.poll(() => isStepping).toBe(true)
      await route.continue()
    })
    await page.getByRole('alertdialog').getByRole('link', { name: 'Xem biên nhận' }).click()
    await expect(page.getByRole('region', { name: 'Diễn biến' })).toBeVisible()
    await page.waitForTimeout(600)
    await expect(page).toHaveURL(/\/user\/deliveries\//)
  },
)

test(
  'a reload with an open dialog shows its page without it',
  { tag: '@long' },
  async ({ page, callers }) => {
    await openState(page, stateOf('change-password'), callers)
    await inHistory(page, 1)
    await page.reload()
    await inHistory(page, 0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('dialog[open]')).toHaveCount(0)
    await page.goBack()
    await expect(page).toHaveURL(/\/healthz$/)
  },
)

test('what was typed into a dialog is there when it is opened again, but for secrets', async ({ page }) => {
  await page.goto('/community', { waitUntil: 'networkidle' })
  const form = page.getByRole('dialog', { name: 'Đăng ký tài khoản' })
  const open = async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Đăng nhập' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Đăng ký' }).click()
  }
  await open()
  await form.getByLabel('Tên đăng nhập').fill('tuanhoang88')
  await form.getByLabel('Số điện thoại').fill('0912345678')
  await form.getByLabel('Mật khẩu', { exact: true }).fill('matkhau-9')
  await inHistory(page, 1)
  await page.goBack()
  await expect(form).toBeHidden()
  await open()
  await expect(form.getByLabel('Tên đăng nhập')).toHaveValue('tuanhoang88')
  await expect(form.getByLabel('Số điện thoại')).toHaveValue('0912345678')
  await expect(form.getByLabel('Mật khẩu', { exact: true })).toHaveValue('')
})
