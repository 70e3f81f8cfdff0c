import { readFile } from 'node:fs/promises'
import { expectAccessible, expectAccessibleInBothSchemes } from '../accessible.ts'
import { expect, registerTrader, signIn, test } from '../player/fixtures.ts'
import { useSeparatePortal } from '../player/separate-portal.ts'
import { aProvedStaffMember, aStaffMember, type StaffMember } from '../player/staff.ts'
import { consoleOf, giveReason, openConsole, prove } from './staff-page.ts'

let owner: StaffMember
let other: StaffMember
useSeparatePortal(async (request, { dataDir }) => {
  owner = await aProvedStaffMember(request, dataDir, 'owner')
  other = await aStaffMember(request, dataDir, 'owner')
})

test('an owner makes codes, another starts them, and a player gets the goods for a character', async ({
  page,
  browser,
  baseURL,
  request,
  consoleErrors,
}) => {
  test.setTimeout(120_000)
  // Only the second person has to prove who they are; and the code is used up at last.
  consoleErrors.expect(/status of (409|422)/)
  await openConsole(page, owner, '/gift-codes')
  await page.getByRole('button', { name: 'Tạo đợt mã' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tên đợt').fill('Mã Tết')
  await dialog.getByLabel('Kiểu mã').selectOption('Nhiều mã, mỗi mã dùng một lần')
  await dialog.getByLabel('Số mã').fill('20')
  await dialog.getByLabel('Tặng', { exact: true }).selectOption('Quà trong game')
  await dialog.getByRole('textbox', { name: 'Quà trong game' }).fill('500 lượng + 1 pet 7 ngày')
  const at = (hours: number) => new Date(Date.now() + (hours + 7) * 3_600_000).toISOString().slice(0, 16)
  await dialog.getByLabel('Bắt đầu').fill(at(-1))
  await dialog.getByLabel('Kết thúc').fill(at(24))
  await expectAccessible(page)
  await giveReason(page, 'Tạo đợt mã')
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  await expect(dialog).toContainText('và 10 mã nữa trong tệp')
  await expectAccessible(page)
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Tải tệp CSV' }).click()
  const codes = (await readFile(await (await saving).path(), 'utf8')).trim().split('\n')
  expect(codes).toHaveLength(20)
  await dialog.getByRole('button', { name: 'Đã lưu, đóng' }).click()
  await page.getByRole('button', { name: 'Chạy đợt mã: Mã Tết' }).click()
  await giveReason(page, 'Chạy')

  const second = await consoleOf(browser, baseURL ?? '', other)
  await second.goto('/admin/proposals')
  const proposal = second.getByRole('article', { name: 'Chạy đợt mã quà Mã Tết' })
  await proposal.getByRole('button', { name: 'Duyệt' }).click()
  await giveReason(second, 'Duyệt')
  await prove(second, other)
  await expect(proposal).toHaveCount(0)

  const player = await registerTrader(request, 50_000)
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const site = await context.newPage()
  await signIn(site, player.token)
  await site.goto('/gift')
  const section = site.getByRole('region', { name: 'Nhập mã quà' })
  await section.getByRole('textbox', { name: 'Mã quà' }).fill(codes[0]?.toLowerCase() ?? '')
  await section.getByLabel('Nhân vật nhận quà').selectOption({ index: 1 })
  await section.getByRole('button', { name: 'Nhận quà' }).click()
  await expect(site.getByRole('alertdialog')).toContainText('Bạn đã nhận 500 lượng')
  await site.keyboard.press('Escape')
  await expect(section).toContainText('Bạn đã nhận 500 lượng')
  await expectAccessibleInBothSchemes(site)
  await section.getByRole('textbox', { name: 'Mã quà' }).fill(codes[0] ?? '')
  await section.getByRole('button', { name: 'Nhận quà' }).click()
  await expect(section.getByText('Bạn đã nhận quà của đợt mã này rồi')).toBeVisible()
  await site.keyboard.press('Escape')
  await section.getByRole('link', { name: /biên nhận/i }).click()
  await expect(site).toHaveURL(/\/user\/deliveries\/[0-9a-f-]{36}$/)
  await expect(site.getByRole('main')).toContainText('500 lượng')
  await context.close()

  await page.reload()
  await expect(page.getByRole('row', { name: 'Mã Tết' })).toContainText('1 / 20')
  await page.getByRole('link', { name: 'Xem lượt dùng: Mã Tết' }).click()
  await expect(page.getByRole('row', { name: player.username })).toBeVisible()
})
