import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { aStaffMember } from '../player/staff.ts'
import { openConsole } from './staff-page.ts'

const asSuperuser = (sql: string) =>
  withDatabase((database) => database.query(`SET session_replication_role = replica; ${sql}`))

test('a payment event that somebody put in behind the portal’s back is found, and shown on the overview', async ({
  page,
  request,
  portal,
}) => {
  const staff = await aStaffMember(request, portal.dataDir, 'owner')
  await asSuperuser(`INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, status)
    VALUES ('sepay', 'planted', 'valid', 'in', 50000, '0011', 'ignored')`)
  try {
    await openConsole(page, staff, '/reconciliation')
    await page.getByRole('button', { name: 'Chạy ngay' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Lí do').fill('Kiểm tra sau khi phục hồi')
    await dialog.getByRole('button', { name: 'Chạy ngay' }).click()
    const rule = page.getByRole('listitem').filter({ hasText: 'R12' })
    await expect(rule.getByText('1 chỗ không khớp')).toBeVisible({ timeout: 30_000 })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])

    await page.goto('/admin')
    await page.getByRole('link', { name: /^Sổ sách không khớp/ }).click()
    await rule.getByRole('link', { name: /^Thông báo/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: /Thông báo/ })).toBeVisible()
  } finally {
    await asSuperuser(`DELETE FROM payment_event WHERE provider_event_id = 'planted'`)
  }
})
