import { readFile } from 'node:fs/promises'
import { expect, signIn, statementLines, test } from './fixtures.ts'

test.describe('the statement', () => {
  test('has its filter in the address and after a reload', async ({ page, trader, isMobile }) => {
    await signIn(page, trader.token)
    await page.goto('/user/transactions')
    const lines = statementLines(page, isMobile)
    await expect(lines.last()).toContainText('Nạp TCoin')
    const all = await lines.count()
    expect(all).toBeGreaterThanOrEqual(2)

    await expect(page.getByLabel('Loại giao dịch')).toBeHidden()
    await page.getByRole('button', { name: 'Lọc', exact: true }).click()
    await page.getByLabel('Loại giao dịch').selectOption('activation')
    await expect(page).toHaveURL(/\?type=activation$/)
    await expect(page.getByRole('button', { name: 'Lọc (1)' })).toBeVisible()
    await expect(lines).toHaveCount(1)
    await expect(lines).toContainText('Phí kích hoạt tài khoản')
    await page.reload()
    await expect(lines).toHaveCount(1)
    await page.getByRole('button', { name: 'Lọc (1)' }).click()

    await page.getByLabel('Tìm kiếm').fill('khongcogi')
    await page.getByRole('button', { name: 'Tìm', exact: true }).click()
    await expect(page.getByText('Không có giao dịch nào phù hợp với bộ lọc.')).toBeVisible()
    await page.goBack()
    await expect(page.getByLabel('Tìm kiếm')).toHaveValue('')
    await expect(lines).toHaveCount(1)
    await page.goBack()
    await expect(lines).toHaveCount(all)
    await page.getByLabel('Từ ngày').fill('2020-01-01')
    await expect(page).toHaveURL(/\?from=2020-01-01$/)
    await expect(page.getByLabel('Từ ngày')).toBeFocused()
    await page.getByLabel('Sắp xếp').selectOption('created_at-asc')
    await expect(lines.first()).toContainText('Nạp TCoin')
  })

  test('is saved as a file with what its filter lists', async ({ page, trader, isMobile, consoleErrors }) => {
    consoleErrors.expect(/status of 500/)
    await signIn(page, trader.token)
    await page.goto('/user/transactions?type=activation&sort=created_at-asc')
    await expect(statementLines(page, isMobile)).toHaveCount(1)
    const save = page.getByRole('button', { name: 'Tải tệp CSV' })
    const started = page.waitForEvent('download')
    await save.focus()
    await page.keyboard.press('Enter')
    const file = await started
    expect(file.suggestedFilename()).toMatch(/^lich-su-giao-dich-\d{4}-\d\d-\d\d\.csv$/)
    const [, ...rows] = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
    expect(rows).toEqual([expect.any(String), 'Hết tệp: 1 dòng,,,,,,,'])
    expect(rows[0]).toContain('Phí kích hoạt tài khoản')

    await page.route('**/api/user/transactions.csv?*', (route) => route.fulfill({ status: 500, body: '' }))
    await save.click()
    await expect(page.getByText('Có lỗi xảy ra, vui lòng thử lại')).toBeVisible()
    await expect(save).toBeEnabled()
    await page.unroute('**/api/user/transactions.csv?*')

    // The rows that a filter leaves out are not to be had either.
    await page.getByRole('button', { name: /^Lọc/ }).click()
    await page.getByLabel('Tìm kiếm').fill('khongcogi')
    await page.getByRole('button', { name: 'Tìm', exact: true }).click()
    await expect(page.getByText('Không có giao dịch nào phù hợp với bộ lọc.')).toBeVisible()
    await expect(save).toBeDisabled()
  })

  test(
    'takes its days by one tap, and its file by another',
    { tag: '@long' },
    async ({ page, trader, isMobile }) => {
      await signIn(page, trader.token)
      await page.goto('/user/transactions')
      const chip = (name: string) =>
        page.getByRole('group', { name: 'Khoảng ngày' }).getByRole('button', { name })
      await expect(chip('Tất cả')).toHaveAttribute('aria-pressed', 'true')
      await chip('7 ngày').click()
      await expect(page).toHaveURL(/\?from=\d{4}-\d\d-\d\d$/)
      await expect(chip('7 ngày')).toHaveAttribute('aria-pressed', 'true')
      await expect(page.getByRole('button', { name: 'Lọc', exact: true })).toBeVisible()
      await page.reload()
      await expect(chip('7 ngày')).toHaveAttribute('aria-pressed', 'true')
      await expect(statementLines(page, isMobile).last()).toContainText('Nạp TCoin')
      const started = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Tải tệp CSV' }).click()
      expect((await started).suggestedFilename()).toMatch(/\.csv$/)
      await chip('Tất cả').click()
      await expect(page).toHaveURL(/\/user\/transactions$/)
    },
  )

  test(
    'copies whole codes and folds older months',
    { tag: '@long' },
    async ({ page, context, trader, isMobile }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const reference = '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1'
      const line = { balance_after: 5_000, description: 'Đổi lượng', status: 'delivered', reference }
      const data = [
        { ...line, id: '3', type: 'exchange', amount: -10_000, created_at: '2026-11-03T05:00:00Z' },
        {
          ...line,
          id: '2',
          type: 'recharge',
          amount: 15_000,
          created_at: '2026-10-31T17:00:00Z',
          reference: '17',
        },
        { ...line, id: '1', type: 'exchange', amount: -20_000, created_at: '2026-10-31T16:00:00Z' },
      ]
      const pagination = { page: 1, items_per_page: 20, total: 3, last_page: 1 }
      await page.route('**/api/user/transactions?*', (route) =>
        route.fulfill({ json: { data, payload: { pagination } } }),
      )
      await signIn(page, trader.token)
      await page.goto('/user/transactions')
      const lines = statementLines(page, isMobile)
      await expect(lines).toHaveCount(3)
      await expect(lines.nth(0)).toContainText('−10,000')
      await expect(lines.nth(1)).toContainText('+15,000')
      const code = lines.nth(0).getByRole('button', { name: `Sao chép mã ${reference}` })
      await expect(code).toHaveText('0198f5a2…')
      await code.click()
      await expect(page.getByText('Đã sao chép')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reference)
      await expect(lines.nth(1)).toBeVisible()
      await expect(lines.nth(2)).toBeHidden()
      await page.getByText('Tháng 10/2026').click()
      await expect(lines.nth(2)).toBeVisible()
    },
  )

  test(
    'turns its pages in the address, and ends at its last page',
    { tag: '@long' },
    async ({ page, trader }) => {
      // A statement of three pages, made by repeating the rows of the real one.
      await page.route('**/api/user/transactions?*', async (route) => {
        const requested = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
        const first = new URL(route.request().url())
        first.searchParams.delete('page')
        const { data } = (await (await route.fetch({ url: first.href })).json()) as { data: unknown[] }
        const pagination = { page: requested, items_per_page: 20, total: 45, last_page: 3 }
        await route.fulfill({ json: { data: requested > 3 ? [] : data, payload: { pagination } } })
      })
      await signIn(page, trader.token)
      await page.goto('/user/transactions?page=99')
      await expect(page.getByText('Trang 3/3')).toBeVisible()
      await expect(page).toHaveURL('/user/transactions?page=3')
      await page.getByRole('button', { name: 'Trang trước' }).click()
      await expect(page.getByText('Trang 2/3')).toBeVisible()
      await page.goBack()
      await expect(page.getByText('Trang 3/3')).toBeVisible()
      await page.goto('/user/transactions?page=1e9')
      await expect(page.getByText('Trang 1/3')).toBeVisible()
    },
  )
})
