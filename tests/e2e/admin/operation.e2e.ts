import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { expect, readQr, test } from '../player/fixtures.ts'
import { aStaffMember, saveSetting, type StaffMember } from '../player/staff.ts'
import { appCode } from '#tests/support/second-factor.ts'
import { openConsole } from './staff-page.ts'

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}

/** Gives the reason of the open dialog and sends it. */
async function giveReason(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Lí do').fill('Kiểm thử trình duyệt')
  await dialog.locator('button[type=submit]', { hasText: button }).click()
}

/** Enters a code where the console asks for fresh proof. */
async function prove(page: Page, { secret }: StaffMember): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Xác nhận lại' })
  await dialog.getByLabel('Mã xác thực hai lớp').fill(appCode(secret, 1))
  await dialog.getByRole('button', { name: 'Xác nhận' }).click()
}

async function consoleOf(browser: Browser, baseURL: string, staff: StaffMember, path: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL, locale: 'vi-VN' })).newPage()
  await openConsole(page, staff, path)
  return page
}

test('a bonus is changed, seen by a player at once, and found in the audit trail', async ({
  page,
  request,
  browser,
  portal,
}) => {
  const owner = await aStaffMember(request, portal.dataDir, 'owner')
  const { exchange_bonus: before } = (await (await request.get('/api/settings')).json()) as {
    exchange_bonus: string
  }
  try {
    const player = await (await browser.newContext({ baseURL: portal.url })).newPage()
    await openConsole(page, owner, '/settings/prices')
    await expectAccessible(page)
    const bonus = page.getByRole('textbox', { name: 'Khuyến mãi đổi lượng (%)' })
    await bonus.fill('nhiều')
    await expect(page.getByText('Giá trị phải là số nguyên')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Lưu thay đổi' })).toBeDisabled()
    await bonus.fill('37')
    await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
    await giveReason(page, 'Lưu thay đổi')
    await expect(page.getByText('Đã thực hiện')).toBeVisible()
    await player.goto('/exchange')
    await expect(player.getByText(/Khuyến mãi \+/)).toHaveText('Khuyến mãi +37% lượng', { timeout: 1_000 })

    await page.getByRole('button', { name: 'Lịch sử của Khuyến mãi đổi lượng (%)' }).click()
    await expect(page.getByRole('dialog')).toContainText('Kiểm thử trình duyệt')
    await page.goto('/admin/audit?subject_type=setting&subject_id=exchange_bonus')
    const row = page.getByRole('row').filter({ hasText: owner.username }).first()
    await expect(row.getByRole('deletion')).toContainText(before)
    await expect(row.getByRole('insertion')).toContainText('37')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Kiểm tra chuỗi' }).click()
    await expect(page.getByText(/Nhật ký nguyên vẹn/)).toBeVisible()
  } finally {
    await saveSetting(request, { token: owner.token, key: 'exchange_bonus', value: before })
  }
})

test('what somebody else saved meanwhile is shown before one’s own value counts', async ({
  page,
  request,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 409/)
  const owner = await aStaffMember(request, portal.dataDir, 'owner')
  const other = await aStaffMember(request, portal.dataDir, 'owner')
  await openConsole(page, owner, '/settings/content')
  const intro = page.getByRole('textbox', { name: 'Mô tả trang' })
  const before = await intro.inputValue()
  try {
    await intro.fill('Mô tả của tôi')
    await saveSetting(request, { token: other.token, key: 'site_description', value: 'Mô tả của người khác' })
    await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
    await giveReason(page, 'Lưu thay đổi')
    await expect(page.getByText('Người khác vừa đổi thành: Mô tả của người khác')).toBeVisible()
    await expect(intro).toHaveValue('Mô tả của tôi')
    await page.getByRole('button', { name: 'Giữ giá trị của tôi' }).click()
    await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
    await giveReason(page, 'Lưu thay đổi')
    await expect(page.getByText('Đã thực hiện')).toBeVisible()
  } finally {
    await saveSetting(request, { token: owner.token, key: 'site_description', value: before })
  }
})

test('a receiving account is changed by two people, who both see its test QR', async ({
  page,
  request,
  browser,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 409/)
  const first = await aStaffMember(request, portal.dataDir, 'owner')
  const second = await aStaffMember(request, portal.dataDir, 'owner')
  await openConsole(page, first, '/settings/money')
  const account = page.getByRole('group', { name: 'Tài khoản nhận ACB' })
  const number = account.getByLabel('Số tài khoản')
  const [old, changed] = [await number.inputValue(), String(Date.now())]
  await number.fill(changed)
  await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
  await expect(
    page.getByRole('dialog').getByRole('img', { name: `Mã QR thử của tài khoản ${changed}` }),
  ).toBeVisible()
  await giveReason(page, 'Lưu thay đổi')
  await prove(page, first)
  await expect(page.getByText('Đã gửi đề xuất, chờ người thứ hai duyệt')).toBeVisible()
  await expect(number).toHaveValue(old)

  const other = await consoleOf(browser, portal.url, second, '/proposals')
  const proposal = other
    .getByRole('region', { name: 'Chờ bạn quyết định' })
    .getByRole('article', { name: 'Tài khoản nhận ACB' })
  const qr = proposal.getByRole('img', { name: `Mã QR thử của tài khoản ${changed}` })
  await expect(qr).toBeVisible()
  expect(readQr(await qr.screenshot())).toContain(changed)
  await expectAccessible(other)
  await proposal.getByRole('button', { name: 'Duyệt' }).click()
  await giveReason(other, 'Duyệt')
  await prove(other, second)
  await expect(proposal).toBeHidden()
  await page.reload()
  await expect(number).toHaveValue(changed)
})

test('roles are given by an invitation and taken away again, with effect at once', async ({
  page,
  request,
  browser,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of (409|403)/)
  const owner = await aStaffMember(request, portal.dataDir, 'owner')
  const editor = await aStaffMember(request, portal.dataDir, 'editor')
  await openConsole(page, owner, '/staff')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Mời người mới' }).click()
  await page.getByRole('dialog').getByLabel('Vai trò').selectOption('Trọng tài')
  await giveReason(page, 'Tạo đường dẫn')
  await prove(page, owner)
  const link = await page.getByRole('dialog', { name: 'Đường dẫn mời' }).getByLabel('Đường dẫn').inputValue()
  const invited = await (await browser.newContext({ baseURL: portal.url })).newPage()
  await invited.goto(link)
  await expect(invited.getByRole('heading', { name: 'Lời mời vào ban vận hành' })).toBeVisible()
  await invited.getByLabel('Tên đăng nhập').fill(editor.username)
  await invited.getByLabel('Mật khẩu').fill(editor.password)
  await invited.getByLabel('Mã xác thực hai lớp').fill(editor.recoveryCodes[0] ?? '')
  await invited.getByRole('button', { name: 'Đăng nhập' }).click()
  await expect(invited.getByRole('heading', { name: 'Lời mời vào ban vận hành' })).toBeHidden()

  await page.keyboard.press('Escape')
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: editor.username })
  await expect(row).toContainText('Biên tập, Trọng tài')
  await row.getByRole('button', { name: `Vai trò của ${editor.username}` }).click()
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^Biên tập/ })
    .uncheck()
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^Trọng tài/ })
    .uncheck()
  await giveReason(page, 'Lưu vai trò')
  await expect(row).toBeHidden()
  const headers = { authorization: `Bearer ${editor.token}` }
  expect((await request.get('/api/operator/posts', { headers })).status()).toBe(403)
})

test('a closed section tells players why, and opens again', async ({ page, request, browser, portal }) => {
  const owner = await aStaffMember(request, portal.dataDir, 'owner')
  const player = await (await browser.newContext({ baseURL: portal.url })).newPage()
  await openConsole(page, owner, '/maintenance')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Đóng: Quà tân thủ' }).click()
  await page.getByLabel('Thông báo cho người chơi').fill('Đang thay gói quà')
  await giveReason(page, 'Đóng')
  await expect(page.getByText('Đang thay gói quà')).toBeVisible()
  await player.goto('/home')
  await expect(player.getByText('Quà tân thủ tạm đóng:')).toBeVisible({ timeout: 1_000 })
  await page.getByRole('button', { name: 'Mở lại Quà tân thủ' }).click()
  await giveReason(page, 'Mở lại')
  await expect(page.getByText('Đang thay gói quà')).toBeHidden()
  await player.reload()
  await expect(player.getByText('Quà tân thủ tạm đóng:')).toHaveCount(0)
})

test('servers and ranking groups are added and removed', async ({ page, request, portal }) => {
  const owner = await aStaffMember(request, portal.dataDir, 'owner')
  await openConsole(page, owner, '/servers')
  const id = `s${Date.now().toString(36)}`
  await page.getByRole('button', { name: 'Thêm máy chủ' }).click()
  await page.getByRole('dialog').getByLabel('Mã máy chủ trong game').fill(id)
  await page.getByRole('dialog').getByLabel('Tên hiện với người chơi').fill(`Máy ${id}`)
  await page.getByRole('dialog').getByLabel('Thứ tự').fill('99')
  await giveReason(page, 'Lưu')
  await page.getByRole('button', { name: `Xóa máy chủ Máy ${id}` }).click()
  await giveReason(page, 'Xóa')
  await expect(page.getByText(`Máy ${id}`)).toHaveCount(0)

  await page.goto('/admin/groups')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Thêm nhóm' }).click()
  await page.getByRole('dialog').getByLabel('Tên nhóm').fill(`Nhóm ${id}`)
  await page.getByRole('dialog').getByLabel('Tên bảng trong game').fill('level')
  await page.getByRole('dialog').getByLabel('Tên cột giá trị').fill('Cấp')
  await giveReason(page, 'Lưu')
  await page.getByRole('button', { name: `Xóa nhóm Nhóm ${id}` }).click()
  await giveReason(page, 'Xóa')
  await expect(page.getByText(`Nhóm ${id}`)).toHaveCount(0)
})
