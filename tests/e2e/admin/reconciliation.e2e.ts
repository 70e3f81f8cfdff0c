import { expectAccessible } from '../accessible.ts'
import { expect } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { openConsole, test, giveReason } from './staff-page.ts'

const asSuperuser = (sql: string) =>
  withDatabase((database) => database.query(`SET session_replication_role = replica; ${sql}`))

test(
  'a forged payment event is found and shown on the overview',
  { tag: '@long' },
  async ({ page, aStaff }) => {
    const staff = await aStaff('owner')
    await asSuperuser(`INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, status)
    VALUES ('sepay', 'planted', 'valid', 'in', 50000, '0011', 'ignored')`)
    try {
      await openConsole(page, staff, '/reconciliation')
      await page.getByRole('button', { name: 'Chạy ngay' }).click()
      await giveReason(page, 'Chạy ngay', 'Kiểm tra sau khi phục hồi')
      const rule = page.getByRole('listitem').filter({ hasText: 'R12' })
      await expect(rule.getByText('1 chỗ không khớp')).toBeVisible({ timeout: 30_000 })
      await expectAccessible(page)

      await page.goto('/admin')
      await page.getByRole('link', { name: /^Sổ sách không khớp/ }).click()
      await rule.getByRole('link', { name: /^Thông báo/ }).click()
      await expect(page.getByRole('heading', { level: 1, name: /Thông báo/ })).toBeVisible()
    } finally {
      await asSuperuser(`DELETE FROM payment_event WHERE provider_event_id = 'planted'`)
    }
  },
)

test(
  'a red close shows which transfer differs',
  { tag: '@long' },
  async ({ page, aStaff, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    const staff = await aStaff('cashier')
    const account = '0011000777'
    const noon = '2025-03-04T05:00:00Z'
    const id = await withDatabase(async (database) => {
      const { rows } = await database.query(
        `INSERT INTO bank_transaction (account_number, direction, amount, booked_at, state)
       VALUES ($1, 'in', 50000, $2, 'ignored') RETURNING id`,
        [account, noon],
      )
      await database.query(
        `INSERT INTO daily_close (account_number, day, revision, status, differences, arrived_count, arrived_vnd, told_vnd,
          left_vnd, credited_vnd, review_vnd, refunded_vnd, ignored_vnd, due_coins, ledger_coins, order_coins, direct_coins, open_events)
       VALUES ($1, '2025-03-04', 1, 'red', '{untold,without-reason}', 1, 50000, 0, 0, 0, 0, 0, 50000, 0, 0, 0, 0, 0)`,
        [account],
      )
      return rows[0]?.id as string
    })
    await openConsole(page, staff, `/daily-closes?account_number=${account}`)
    await page.getByRole('link', { name: '04/03/2025' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Chốt ngày 04/03/2025' })).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Đọc lại sao kê' }).click()
    await giveReason(page, 'Đọc lại sao kê', 'Ngân hàng vừa bổ sung')
    await expect(page.getByText('Chưa nối với sao kê của nhà cung cấp nào').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await page.goto(page.url())

    const rows = page.getByRole('table', { name: 'Bị để riêng mà không có lý do' })
    await rows.getByRole('link', { name: id }).click()
    await expect(page).toHaveURL(new RegExp(`/bank-transfers/${id}$`))
  },
)

test('a day without a list of a provider is compared with a file of the bank, whose days are shown first', async ({
  page,
  aProvedStaff,
}) => {
  const staff = await aProvedStaff('cashier')
  const account = '0011000778'
  await withDatabase(async (database) => {
    await database.query(
      `INSERT INTO bank_transaction (account_number, direction, amount, bank_ref, booked_at, state, reason)
       VALUES ($1, 'in', 50000, 'FT0778', '2025-03-05T05:00:00Z', 'ignored', 'no-code')`,
      [account],
    )
    await database.query(
      `INSERT INTO daily_close (account_number, day, revision, status, differences, arrived_count, arrived_vnd, told_vnd,
          left_vnd, credited_vnd, review_vnd, refunded_vnd, ignored_vnd, due_coins, ledger_coins, order_coins, direct_coins, open_events)
       VALUES ($1, '2025-03-05', 1, 'green', '{}', 1, 50000, 50000, 0, 0, 0, 0, 50000, 0, 0, 0, 0, 0)`,
      [account],
    )
  })
  await openConsole(page, staff, `/daily-closes?account_number=${account}`)
  await page.getByRole('link', { name: '05/03/2025' }).click()
  await expect(page.getByText('Ngày này chưa được đối chiếu với ngân hàng')).toBeVisible()
  await page.getByRole('button', { name: 'Gửi tệp sao kê' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tệp sao kê').setInputFiles({
    name: 'sao-ke.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Ngày giao dịch,Số tham chiếu,Ghi nợ,Ghi có\n05/03/2025,FT0778,,"50,000"\n05/03/2025,FT0779,,"9,000"\n',
    ),
  })
  await expect(dialog.getByRole('row', { name: /05\/03\/2025/ })).toContainText('59,000 đ (2)')
  await expect(dialog.getByLabel('Cột tiền vào')).toHaveValue('3')
  await expectAccessible(page)
  await giveReason(page, 'Gửi tệp sao kê', 'Tệp tải từ ngân hàng')
  await expect(page.getByRole('table', { name: 'Ngân hàng có, sổ không có' })).toContainText('9,000 đ')
  // The new close has taken the place of the one before in the history.
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`/daily-closes\\?account_number=${account}$`))
})
