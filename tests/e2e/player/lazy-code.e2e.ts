import type { Page } from '@playwright/test'
import { stateOf } from '#tests/support/page-states/all-states.ts'
import { openState } from '#tests/support/page-states/page-state.ts'
import { fileOf, lazyFiles, withhold } from '#tests/support/lazy-files.ts'
import { inHistory } from './dialogs.ts'
import { balanceLink, expect, signIn, test } from './fixtures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const lazy = lazyFiles('client')
const isLazy = (file: string) => lazy.files.has(file)

const NOT_OPENED = 'Chưa mở được phần này'

const notOpened = (page: Page) => page.getByRole('dialog').getByRole('alert').filter({ hasText: NOT_OPENED })

/** The frame stands, and the page shows something to read. */
async function expectWhole(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('link').first()).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeAttached()
  await expect.poll(() => page.getByRole('main').innerText()).toMatch(/\S{2,}/)
}

test.beforeEach(({ consoleErrors }) =>
  consoleErrors.expect(/ERR_CONNECTION_RESET|did not arrive|Failed to fetch|status of 404/),
)

test('a visitor for whom no lazy file arrives reads on, is told, and goes on once they do', async ({
  page,
}) => {
  const files = await withhold(page, isLazy)
  await page.goto('/home')
  const strip = page.getByRole('alert').filter({ hasText: 'Trang chưa tải xong' })
  await expect(strip).toBeVisible()
  await expect(page.getByRole('main').getByRole('heading', { level: 3 }).first()).toBeVisible()

  // A link of the page, which React does not know, and one of the frame open documents.
  await page.getByRole('main').locator('a[href^="/post/"]').first().click()
  await expect(page).toHaveURL(/\/post\//)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(strip).toBeVisible()
  await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Box Zalo' }).click()
  await expect(page).toHaveURL(/\/community$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Box Zalo')

  // The dialog says that it did not open, takes the focus, and gives it back.
  await expect(strip).toBeVisible()
  const login = page.getByRole('banner').getByRole('link', { name: 'Đăng nhập' })
  await login.click()
  await expect(notOpened(page)).toBeVisible()
  await expect(notOpened(page).getByRole('button', { name: 'Thử lại' })).toBeFocused()
  await page.getByRole('dialog').getByRole('button', { name: 'Đóng' }).click()
  await expect(notOpened(page)).toBeHidden()
  await expect(login).toBeFocused()
  await login.click()
  await inHistory(page, 1)
  await page.goBack()
  await expect(notOpened(page)).toBeHidden()
  await expect(page).toHaveURL(/\/community$/)
  await expectWhole(page)
  await login.click()
  await expect(notOpened(page)).toBeVisible()

  expect(files.refused.size).toBeGreaterThan(5)
  files.release()
  await notOpened(page).getByRole('button', { name: 'Thử lại' }).click()
  await expect(page.getByRole('dialog', { name: 'Đăng nhập' }).getByRole('textbox').first()).toBeFocused()
})

test('a player for whom no lazy file arrives is told, and goes on once they do', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer.token)
  const files = await withhold(page, isLazy)
  await page.goto('/recharge')
  const again = page.getByRole('banner').getByRole('button', { name: 'Tải lại số dư' })
  await expect(again).toBeVisible()
  await expect(page.getByRole('main').getByText('Có lỗi xảy ra')).toBeVisible()
  await expectWhole(page)
  files.release()
  await again.click()
  await expect(balanceLink(page)).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Thử lại' }).click()
  await expect(page.getByRole('main').getByRole('radio').first()).toBeVisible()
})

test('where the files of a page are gone, its link and the way back to it open documents', async ({
  page,
}) => {
  await page.goto('/community', { waitUntil: 'networkidle' })
  await page.route('**/static/js/**', (route) =>
    isLazy(fileOf(route.request().url())) ? route.fulfill({ status: 404, body: '' }) : route.fallback(),
  )
  const documents: string[] = []
  page.on('framenavigated', (frame) => documents.push(new URL(frame.url()).pathname))
  await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Trang chủ' }).click()
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByRole('main').getByRole('heading', { level: 3 }).first()).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Trang chưa tải xong' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Box Zalo')
  // Nothing goes round in a circle.
  const opened = documents.length
  await page.waitForLoadState('networkidle')
  expect(documents.length).toBe(opened)
  expect(opened).toBeLessThanOrEqual(3)
})

test('a part that breaks takes nothing else along', async ({ page, newcomer, consoleErrors }) => {
  consoleErrors.expect(/null|undefined/)
  await signIn(page, newcomer.token)
  await page.goto('/community', { waitUntil: 'networkidle' })
  const answers = /\/api\/(categories|user\/notices|notices)(\?|$)/
  await page.route(answers, (route) => route.fulfill({ json: { data: [null], payload: { unread: 0 } } }))
  await page.route('**/api/categories', (route) => route.fulfill({ json: [null] }))
  await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Trang chủ' }).click()
  const section = page.getByRole('region', { name: 'Chuyên mục' })
  await expect(section.getByRole('alert')).toContainText('Phần này chưa hiện được')
  await expect(page.getByRole('main').getByRole('heading', { level: 3 }).first()).toBeVisible()

  const bell = page.getByRole('banner').getByRole('button', { name: 'Thông báo' })
  await bell.click()
  await expect(notOpened(page)).toBeVisible()
  await expect(balanceLink(page)).toBeVisible()

  // Tried again, it is read again: the answer that broke it is not taken from the cache.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await notOpened(page).getByRole('button', { name: 'Thử lại' }).click()
  await expect(notOpened(page)).toBeHidden()
  await page.getByRole('dialog').getByRole('button', { name: 'Đóng' }).click()
  await section.getByRole('button', { name: 'Thử lại' }).click()
  await expect(section.getByRole('link').first()).toBeVisible()
})

test('a note that does not arrive leaves the form that it belongs to', async ({ page, callers }) => {
  await withhold(page, (file) => file.includes('promotion-note'))
  await openState(page, { ...stateOf('recharge-promotion'), sees: 'Chưa tải được khuyến mãi' }, callers)
  await expect(page.getByRole('button', { name: 'Tạo mã QR' })).toBeEnabled()
})
