import type { Page } from '@playwright/test'
import { demoLogin } from '#seeds/players.ts'
import { expect, loginByCall, signIn, test } from './fixtures.ts'

/** The lines on this screen: rows of a table, or blocks on a phone. */
const lines = (page: Page, isMobile: boolean | undefined) =>
  isMobile ? page.locator('main ol > li') : page.locator('main table tbody tr')

test('the rankings are tabs that arrows move between, kept in the address', async ({
  page,
  request,
  isMobile,
}) => {
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/ranking')
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveText(['Cao thủ', 'Phú hộ', 'Đại gia', 'Đua nạp'])
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText(/^Cập nhật lúc \d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toBeVisible()

  await expect(lines(page, isMobile).first()).toContainText('1')
  const mine = lines(page, isMobile).filter({ hasText: 'Bạn' })
  await expect(mine.first()).toContainText('kiemgia')
  await expect(mine.first()).toContainText('92')

  await tabs.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.nth(1)).toBeFocused()
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tabpanel', { name: 'Phú hộ' })).toContainText('yên')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(tabs.last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/\?group=\d+$/)
  await page.reload()
  await expect(tabs.nth(2)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tabpanel', { name: 'Đại gia' })).toBeVisible()
})

test('a player beyond the list still sees their own place, and an empty ranking says so', async ({
  page,
  request,
  isMobile,
}) => {
  const row = { class_id: 1, level: 90, server_id: '1' }
  let answer: object = {
    updated_at: '2026-11-20T18:30:00.000Z',
    rows: [{ ...row, rank: 1, name: 'thienlongkiem', value: 117, is_mine: false }],
    mine: { ...row, rank: 1_234, name: 'kiemgia', value: 92, is_mine: true },
  }
  await page.route('**/api/groups/*/entries', (route) => route.fulfill({ json: answer }))
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/ranking')
  const own = page.getByRole('region', { name: 'Hạng của bạn' })
  await expect(own).toBeVisible()
  await expect(lines(page, isMobile).last()).toContainText('1,234')
  // Half past six in the evening of London is the next day in Vietnam.
  await expect(page.getByText('Cập nhật lúc 21/11/2026 01:30')).toBeVisible()

  answer = { updated_at: null, rows: [] }
  await page.reload()
  await expect(page.getByText('Bảng này chưa có ai.')).toBeVisible()
})

test('a ranking that does not load can be asked for again', async ({ page, request, consoleErrors }) => {
  consoleErrors.expect(/status of 500/)
  await page.route('**/api/groups/*/entries', (route) => route.fulfill({ status: 500, body: '' }))
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/ranking')
  await expect(page.getByRole('alert')).toContainText('Có lỗi xảy ra, vui lòng thử lại')
  await page.unroute('**/api/groups/*/entries')
  await page.getByRole('button', { name: 'Thử lại' }).click()
  await expect(page.getByText('thienlongkiem').filter({ visible: true })).toBeVisible()
})
