import type { Page } from '@playwright/test'
import { expectNotesAtTheirFields } from '../layout.ts'
import { expect, test } from './fixtures.ts'

/** The figure beside a name among the totals. */
const total = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Tổng cộng' })
    .getByRole('definition')
    .nth(['Số ngọc', 'Số xu', 'ATM'].indexOf(name))

async function expectTotals(
  page: Page,
  [gems, coins, atm]: readonly [string, string, string],
): Promise<void> {
  await expect(total(page, 'Số ngọc')).toHaveText(gems)
  await expect(total(page, 'Số xu')).toHaveText(coins)
  await expect(total(page, 'ATM')).toHaveText(atm)
}

test('totals follow what is typed, exact however large', async ({ page }) => {
  await page.goto('/gem-calculator')
  await page.getByLabel('Từ cấp').selectOption('3')
  await page.getByLabel('Đến cấp').selectOption('7')
  await expectTotals(page, ['1,800', '—', '—'])
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByLabel('Giá mỗi viên ngọc').fill('2500')
  await expectTotals(page, ['1,800', '4,500,000', '—'])
  await page.getByLabel('Giá máy chủ').fill('70000')
  await expectTotals(page, ['1,800', '4,500,000', '64'])
  await expect(page.getByLabel('Giá mỗi viên ngọc')).toHaveValue('2,500')

  await page.getByLabel('Từ cấp').selectOption('0')
  await page.getByLabel('Đến cấp').selectOption('10')
  await page.getByLabel('Giá mỗi viên ngọc').fill('999999999999999')
  await page.getByLabel('Giá máy chủ').fill('7')
  await expectTotals(page, ['18,871', '18,870,999,999,999,981,129', '2,695,857,142,857,140,161'])
})

test('an invalid input has its message beside its field', async ({ page }) => {
  await page.goto('/gem-calculator')
  await page.getByLabel('Từ cấp').selectOption('6')
  await expect(page.getByRole('alert')).toHaveText('Cấp đích phải cao hơn cấp đang có')
  await expectNotesAtTheirFields(page)
  await expectTotals(page, ['—', '—', '—'])
  await page.getByLabel('Đến cấp').selectOption('7')
  await page.getByLabel('Giá mỗi viên ngọc').fill('0')
  await expect(page.getByRole('alert')).toHaveText('Giá phải là số nguyên từ 1 trở lên')
  await page.getByLabel('Giá mỗi viên ngọc').fill('1')
  await page.getByLabel('Giá máy chủ').focus()
  await page.getByLabel('Giá máy chủ').blur()
  await expect(page.getByRole('alert')).toHaveText('Không được bỏ trống')
})

test('the button names what is missing, then leads to the totals', async ({ page }) => {
  await page.goto('/gem-calculator')
  const button = page.getByRole('button', { name: 'Tính' })
  await button.click()
  await expect(page.getByRole('alert')).toHaveText(['Không được bỏ trống', 'Không được bỏ trống'])
  await page.getByLabel('Giá mỗi viên ngọc').fill('1200')
  await page.getByLabel('Giá máy chủ').fill('50000')
  await button.click()
  await expect(page.getByRole('region', { name: 'Tổng cộng' })).toBeFocused()
  await expect(page.getByRole('region', { name: 'Tổng cộng' })).toBeInViewport()
})

test('a link shares the inputs', async ({ page, context, browser }) => {
  await page.goto('/gem-calculator')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByLabel('Từ cấp').selectOption('2')
  await page.getByLabel('Đến cấp').selectOption('4')
  await page.getByLabel('Giá mỗi viên ngọc').fill('1200')
  await page.getByLabel('Giá máy chủ').fill('50000')
  await page.getByRole('button', { name: 'Sao chép liên kết' }).click()
  await expect(page.getByText('Đã sao chép liên kết')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(link).pathname).toBe('/gem-calculator')

  const friend = await browser.newPage()
  await friend.goto(link)
  await expect(friend.getByLabel('Từ cấp')).toHaveValue('2')
  await expect(friend.getByLabel('Đến cấp')).toHaveValue('4')
  await expect(friend.getByLabel('Giá máy chủ')).toHaveValue('50,000')
  await expectTotals(friend, ['150', '180,000', '3'])
  await friend.close()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the table of costs can be read', async ({ page }) => {
    await page.goto('/gem-calculator')
    const rows = page.getByRole('table', { name: 'Số ngọc cho từng cấp' }).getByRole('row')
    await expect(rows).toHaveCount(11)
    await expect(rows.nth(6)).toHaveText(/Cấp\s6\s*500\s*871/)
    await expect(rows.last()).toHaveText(/Cấp\s10\s*10,000\s*18,871/)
  })
})
