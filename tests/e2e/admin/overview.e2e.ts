import type { Page } from '@playwright/test'
import { expect, registerTrader, whoIs } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { type StaffMember } from '../player/staff.ts'
import { proposeAdjustment } from './console-rows.ts'
import { aParkedDelivery } from './parked-delivery.ts'
import { expectAccessible } from '../accessible.ts'
import { openConsole, test } from './staff-page.ts'

test('the overview shows what waits, also what comes while it is open', async ({
  page,
  aStaff,
  isMobile,
}) => {
  const staff = await aStaff('owner')
  await openConsole(page, staff)
  await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Biểu đồ tiền vào/ })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('combobox', { name: 'Theo' }).selectOption('Tuần')
  await expect(page).toHaveURL(/by=week/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Theo' })).toHaveValue('week')

  // Open before something comes: the first message of the stream is what is there already.
  // Open by itself on a desktop.
  if (isMobile) await page.getByText('Bảng số liệu', { exact: true }).click()
  await expect(page.getByRole('table', { name: 'Số liệu' })).toBeVisible()
  await withDatabase((database) =>
    database.query(
      `INSERT INTO bank_transaction (account_number, direction, amount, state, reason, created_at)
       VALUES ('0011', 'in', 50000, 'review', 'no-code', now() - interval '2 hours')`,
    ),
  )
  await expect(page.getByText('Có khoản chuyển mới chờ kiểm tra')).toBeVisible()
  const waiting = page.getByRole('listitem').filter({ hasText: 'Khoản chuyển chờ ghép' })
  await expect(waiting).toContainText(/Quá hạn.*\d đ.*lâu nhất (\d+ ngày )?\d+ giờ/)
  await expect(page.getByText('không có việc nào đang chờ')).toHaveCount(0)
  const opener = page.getByRole('button', { name: 'Mở danh mục' })
  if (await opener.isVisible()) await opener.click()
  await expect(
    page.getByRole('navigation', { name: 'Danh mục' }).getByRole('link', {
      name: /^Hộp tiền vào.*, \d+\+? đang chờ$/,
    }),
  ).toBeVisible()
  await waiting.getByRole('link', { name: 'Khoản chuyển chờ ghép', exact: true }).click()
  await expect(page).toHaveURL(/\/bank-transfers\?state=review$/)
  await page.goBack()

  await waiting.getByRole('link', { name: 'Sổ tay: Khoản chuyển chờ ghép' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tiền vào' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/admin/runbooks/restore')
  await page.getByRole('main').getByRole('link', { name: 'upgrade.md' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Nâng cấp' })).toBeVisible()
})

test(
  'a parked delivery and a proposal are shown at once',
  { tag: '@long' },
  async ({ page, aStaff, request }) => {
    const staff = await aStaff('owner')
    const colleague = await aStaff('owner')
    const player = await registerTrader(request, 100_000)
    const { id: userId } = await whoIs(request, player.token)

    await listenAt(page, staff, '/deliveries?state=parked')
    const delivery = await aParkedDelivery(request, player)
    await expect(page.getByText('Có món giao vừa bị treo')).toBeVisible()
    await expect(page.getByRole('link', { name: delivery.slice(0, 8) })).toBeVisible()

    await listenAt(page, staff, '/proposals')
    await proposeAdjustment(request, colleague, userId)
    await expect(page.getByText('Có đề xuất mới chờ duyệt')).toBeVisible()
    await expect(page.getByRole('article', { name: `Điều chỉnh số dư của ${player.username}` })).toBeVisible()
  },
)

/** Opens a screen and waits for the stream of what comes. */
async function listenAt(page: Page, staff: StaffMember, path: string): Promise<void> {
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/operator/events'))
  await openConsole(page, staff, path)
  await stream
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
