import { expect, test } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { aStaffMember } from '../player/staff.ts'
import { expectAccessible, openConsole } from './staff-page.ts'

test('the overview shows what waits and the figures, and tells of what comes while it is open', async ({
  page,
  request,
  portal,
}) => {
  const staff = await aStaffMember(request, portal.dataDir, 'owner')
  await openConsole(page, staff)
  await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Biểu đồ tiền vào/ })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('combobox', { name: 'Theo' }).selectOption('Tuần')
  await expect(page).toHaveURL(/by=week/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Theo' })).toHaveValue('week')

  // Open before something comes: the first message of the stream is what is there already.
  await expect(page.getByRole('table', { name: 'Số liệu' })).toBeVisible()
  await withDatabase((database) =>
    database.query(
      `INSERT INTO bank_transaction (account_number, direction, amount, state, reason, created_at)
       VALUES ('0011', 'in', 50000, 'review', 'no-code', now() - interval '2 hours')`,
    ),
  )
  await expect(page.getByText('Có khoản chuyển mới chờ kiểm tra')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Khoản chuyển chưa ghép quá 1 giờ' })).toBeVisible()
})
