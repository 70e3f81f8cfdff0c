import { expectAccessible } from '../accessible.ts'
import { expect, registerPlayer, signIn, test } from '../player/fixtures.ts'
import { useSeparatePortal } from '../player/separate-portal.ts'
import { aProvedStaffMember, aStaffMember, type StaffMember } from '../player/staff.ts'
import { consoleOf, giveReason, openConsole, prove } from './staff-page.ts'

// What is promised here would be promised to other tests' orders.
let owner: StaffMember
let other: StaffMember
useSeparatePortal(async (request, { dataDir }) => {
  owner = await aProvedStaffMember(request, dataDir, 'owner')
  other = await aStaffMember(request, dataDir, 'owner')
})

test('an owner fills a budget and plans a promotion, another starts it, and a player reads it before paying', async ({
  page,
  browser,
  baseURL,
  request,
  consoleErrors,
}) => {
  test.setTimeout(120_000)
  // Only the second person has to prove who they are.
  consoleErrors.expect(/status of 409/)
  const title = `Nạp cuối tuần ${Date.now()}`
  await openConsole(page, owner, '/budgets')
  await page.getByRole('button', { name: 'Lập ngân sách' }).click()
  await page.getByRole('textbox', { name: 'Tên ngân sách' }).fill(title)
  await giveReason(page, 'Lập ngân sách')
  await page.getByRole('button', { name: `Cấp hoặc rút TCoin: ${title}` }).click()
  await page.getByRole('textbox', { name: 'Số TCoin' }).fill('500,000')
  await giveReason(page, 'Cấp hoặc rút TCoin')
  await expect(page.getByRole('row', { name: title })).toContainText('500,000')
  await expectAccessible(page)

  await page.goto('/admin/promotions')
  await page.getByRole('button', { name: 'Lập khuyến mãi' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tên khuyến mãi').fill(title)
  await dialog.getByLabel('Ngân sách').selectOption(`${title} (còn 500,000 TCoin)`)
  const at = (hours: number) => new Date(Date.now() + (hours + 7) * 3_600_000).toISOString().slice(0, 16)
  await dialog.getByLabel('Bắt đầu').fill(at(-1))
  await dialog.getByLabel('Kết thúc').fill(at(24))
  await dialog.getByLabel('Phần trăm', { exact: true }).fill('20')
  await dialog.getByLabel('Tối đa mỗi người').fill('100000')
  await dialog.getByLabel('Tổng tối đa').fill('500000')
  await dialog.getByRole('button', { name: 'Xem trước và tính chi phí' }).click()
  await expect(dialog).toContainText('Tặng thêm 20% TCoin khi nạp, tối đa 100,000 TCoin mỗi người')
  await expect(dialog).toContainText('Trong 90 ngày qua sẽ tốn')
  await expectAccessible(page)
  await giveReason(page, 'Lập khuyến mãi')
  await page.getByRole('button', { name: `Chạy khuyến mãi: ${title}` }).click()
  await giveReason(page, 'Chạy')

  const second = await consoleOf(browser, baseURL ?? '', other)
  await second.goto('/admin/proposals')
  const proposal = second.getByRole('article', { name: `Chạy khuyến mãi ${title}` })
  await proposal.getByRole('button', { name: 'Duyệt' }).click()
  await giveReason(second, 'Duyệt')
  await prove(second, other)
  await expect(proposal).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('row', { name: title })).toContainText('Đang chạy')

  const player = await registerPlayer(request)
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const site = await context.newPage()
  await signIn(site, player.token)
  await site.goto('/recharge')
  const note = site.getByRole('region', { name: title })
  await expect(note).toContainText('Tặng thêm 20% TCoin khi nạp')
  await site.getByRole('radio', { name: /ACB/ }).check({ force: true })
  await site.getByRole('textbox', { name: 'Số tiền' }).fill('50000')
  await expect(note).toContainText('Được thưởng thêm 10,000')
  await expectAccessible(site)
  await site.getByRole('button', { name: 'Tạo mã QR' }).click()
  await expect(site.getByText(`bạn được thưởng thêm 10,000 TCoin (${title})`)).toBeVisible()
  await expectAccessible(site)
  await context.close()

  await page.getByRole('button', { name: `Dừng khuyến mãi: ${title}` }).click()
  await giveReason(page, 'Dừng')
  await expect(page.getByRole('row', { name: title })).toContainText('Đã dừng')
})
