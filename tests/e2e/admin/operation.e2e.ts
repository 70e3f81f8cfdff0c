import type { APIRequestContext, Page } from '@playwright/test'
import { expect, readQr } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { approveProposals, changePrice, saveSetting } from '../player/staff.ts'
import { expectAccessible } from '../accessible.ts'
import {
  choose,
  consoleOf,
  giveReason,
  openConsole,
  openFilters,
  prove,
  signInToConsole,
  test,
} from './staff-page.ts'

const DAY_MS = 86_400_000
const VIETNAM_MS = 7 * 3_600_000

const dayInVietnam = (daysAgo: number): string =>
  new Date(Date.now() + VIETNAM_MS - daysAgo * DAY_MS).toISOString().slice(0, 10)

const bonusNow = async (request: APIRequestContext): Promise<string> =>
  ((await (await request.get('/api/settings')).json()) as { exchange_bonus: string }).exchange_bonus

/** Puts every row of the audit trail so far a week back, and, after `act`, where it was: by then the chain fits again. */
async function withTrailOfLastWeek(act: () => Promise<void>): Promise<void> {
  const shift = (step: string, last?: string) =>
    withDatabase(async (database) => {
      await database.query('SET session_replication_role = replica')
      const { rows } = await database.query(
        `WITH moved AS (
           UPDATE audit_log SET at = at + $1::interval
           WHERE seq <= coalesce($2::bigint, 9223372036854775807) RETURNING seq)
         SELECT max(seq)::text AS last FROM moved`,
        [step, last],
      )
      return (rows[0] as { last: string }).last
    })
  const last = await shift('-7 days')
  try {
    await act()
  } finally {
    await shift('7 days', last)
  }
}

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Mục cài đặt' }).getByRole('link', { name, exact: true })

test(
  'a bonus is changed, and shown at once to a player whose page another process serves',
  { tag: '@long' },
  async ({ page, aProvedStaff, aStaff, request, browser, secondWeb, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    const owner = await aStaff('owner')
    const others = [await aProvedStaff('owner'), await aProvedStaff('owner')] as const
    const before = await bonusNow(request)
    const context = await browser.newContext({ baseURL: secondWeb })
    try {
      const player = await context.newPage()
      await player.goto('/community', { waitUntil: 'networkidle' })
      await signInToConsole(page, owner)
      await choose(page, 'Cài đặt')
      await section(page, 'Giá và hạn mức').click()
      await expectAccessible(page)
      const bonus = page.getByRole('textbox', { name: 'Khuyến mãi đổi lượng (%)' })
      await bonus.fill('nhiều')
      await expect(page.getByText('Giá trị phải là số nguyên')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Lưu thay đổi' })).toBeDisabled()
      await bonus.fill('37')
      await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
      await expect(page.getByRole('dialog')).toContainText('hiện nay')
      await giveReason(page, 'Lưu thay đổi')
      await prove(page, owner)
      await expect(page.getByText('Đã gửi đề xuất, chờ người thứ hai duyệt')).toBeVisible()
      await approveProposals(request, others[0])
      // Requested once when the page opens: what is old then stays old.
      await player.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Đổi lượng' }).click()
      await expect(player.getByText(/Khuyến mãi \+/)).toHaveText('Khuyến mãi +37% lượng')

      await page.getByRole('button', { name: 'Lịch sử của Khuyến mãi đổi lượng (%)' }).click()
      await expect(page.getByRole('dialog')).toContainText('Kiểm thử trình duyệt')
    } finally {
      await context.close()
      await changePrice(request, others, { key: 'exchange_bonus', value: before })
    }
  },
)

test(
  'a price change of last week is found by its days',
  { tag: '@long' },
  async ({ page, aProvedStaff, request }) => {
    const owner = await aProvedStaff('owner')
    const second = await aProvedStaff('owner')
    const before = await bonusNow(request)
    const save = (value: string) => changePrice(request, [owner, second], { key: 'exchange_bonus', value })
    await save('41')
    await withTrailOfLastWeek(async () => {
      await save(before)
      await signInToConsole(page, owner)
      await choose(page, 'Nhật ký vận hành')
      await openFilters(page)
      await page.getByRole('combobox', { name: 'Loại đối tượng' }).selectOption('Cài đặt')
      // Who decided about the proposal names whoever made it.
      const actor = page.getByRole('strong').filter({ hasText: owner.username })
      const rows = page.getByRole('row').filter({ has: actor })
      await expect(rows).toHaveCount(2)
      await page.getByLabel('Từ ngày').fill(dayInVietnam(8))
      await page.getByLabel('Đến ngày').fill(dayInVietnam(6))
      await expect(page).toHaveURL(/from=.*to=/)
      await expect(rows).toHaveCount(1)
      await expect(rows).toContainText('Khuyến mãi đổi lượng')
      await expect(rows.getByRole('deletion')).toContainText(before)
      await expect(rows.getByRole('insertion')).toContainText('41')
      await expectAccessible(page)
    })
    await page.getByRole('button', { name: 'Kiểm tra chuỗi' }).click()
    await expect(page.getByText(/Nhật ký nguyên vẹn/)).toBeVisible()
  },
)

test(
  'another’s new setting is not overwritten',
  { tag: '@long' },
  async ({ page, aStaff, request, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    const owner = await aStaff('owner')
    const other = await aStaff('owner')
    await openConsole(page, owner, '/settings/content')
    const intro = page.getByRole('textbox', { name: 'Mô tả trang' })
    const before = await intro.inputValue()
    try {
      await intro.fill('Mô tả của tôi')
      await saveSetting(request, {
        token: other.token,
        key: 'site_description',
        value: 'Mô tả của người khác',
      })
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
  },
)

test('two people change a receiving account', async ({ page, aStaff, browser, portal, consoleErrors }) => {
  consoleErrors.expect(/status of 409/)
  const first = await aStaff('owner')
  const second = await aStaff('owner')
  await signInToConsole(page, first)
  await choose(page, 'Cài đặt')
  await section(page, 'Tiền').click()
  const account = page.getByRole('group', { name: 'Tài khoản nhận ACB' })
  const number = account.getByLabel('Số tài khoản')
  const [old, changed] = [await number.inputValue(), String(Date.now())]
  await number.fill(changed)
  const bank = account.getByLabel('Ngân hàng', { exact: true })
  await expect(bank).toHaveValue('970416')
  // None that the channel's money cannot arrive at.
  await expect(bank.getByRole('option')).toHaveText(['Chưa chọn', 'ACB (970416)'])
  await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
  await expect(
    page.getByRole('dialog').getByRole('img', { name: `Mã QR thử của tài khoản ${changed}` }),
  ).toBeVisible()
  await giveReason(page, 'Lưu thay đổi')
  await prove(page, first)
  await expect(page.getByText('Đã gửi đề xuất, chờ người thứ hai duyệt')).toBeVisible()
  await expect(number).toHaveValue(old)

  const other = await consoleOf(browser, portal.url, second)
  await choose(other, 'Đề xuất')
  const proposal = other
    .getByRole('region', { name: 'Chờ bạn quyết định' })
    .getByRole('article', { name: 'Tài khoản nhận ACB' })
  const qr = proposal.getByRole('img', { name: `Mã QR thử của tài khoản ${changed}` })
  await expect(qr).toBeVisible()
  await expect.poll(async () => readQr(await qr.screenshot())).toContain(changed)
  await expectAccessible(other)
  await proposal.getByRole('button', { name: 'Duyệt' }).click()
  await giveReason(other, 'Duyệt')
  await prove(other, second)
  await expect(proposal).toBeHidden()
  await page.reload()
  await expect(number).toHaveValue(changed)
})

test(
  'roles are given by an invitation and taken away again, with effect at once',
  { tag: '@long' },
  async ({ page, aStaff, request, browser, portal, consoleErrors }) => {
    consoleErrors.expect(/status of (409|403)/)
    const owner = await aStaff('owner')
    const editor = await aStaff('editor')
    await signInToConsole(page, owner)
    await choose(page, 'Ban vận hành')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Mời người mới' }).click()
    await page.getByRole('dialog').getByLabel('Vai trò').selectOption('Trọng tài')
    await giveReason(page, 'Tạo đường dẫn')
    await prove(page, owner)
    const link = await page
      .getByRole('dialog', { name: 'Đường dẫn mời' })
      .getByLabel('Đường dẫn')
      .inputValue()
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
    // One that was sent to the wrong person is taken back.
    await page.getByRole('button', { name: 'Mời người mới' }).click()
    await giveReason(page, 'Tạo đường dẫn')
    await expect(page.getByRole('dialog', { name: 'Đường dẫn mời' })).toBeVisible()
    await page.keyboard.press('Escape')
    const invites = page.getByRole('table', { name: 'Lời mời đang mở' })
    await invites.getByRole('button', { name: /Thu hồi lời mời: Hỗ trợ/ }).click()
    await giveReason(page, 'Thu hồi')
    await expect(page.getByText('Không có lời mời nào đang chờ')).toBeVisible()
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
  },
)

test(
  'a closed section shows players the reason, and opens again',
  { tag: '@long' },
  async ({ page, aStaff, browser, portal }) => {
    const owner = await aStaff('owner')
    const player = await (await browser.newContext({ baseURL: portal.url })).newPage()
    await openConsole(page, owner, '/maintenance')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Đóng: Quà tân thủ' }).click()
    await page.getByLabel('Thông báo cho người chơi').fill('Đang thay gói quà')
    await giveReason(page, 'Đóng')
    await expect(page.getByText('Đang thay gói quà')).toBeVisible()
    await player.goto('/home')
    await expect(player.getByText('Quà tân thủ tạm đóng:')).toBeVisible()
    await page.getByRole('button', { name: 'Mở lại Quà tân thủ' }).click()
    await giveReason(page, 'Mở lại')
    await expect(page.getByText('Đang thay gói quà')).toBeHidden()
    await player.reload()
    await expect(player.getByText('Quà tân thủ tạm đóng:')).toHaveCount(0)
  },
)

test('servers and ranking groups are added and removed', { tag: '@long' }, async ({ page, aStaff }) => {
  const owner = await aStaff('owner')
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
  // With the name of its board it is called as the first one is.
  const boardName = page.getByRole('dialog').getByLabel('Lấy tên của bảng')
  await page.getByRole('button', { name: `Sửa nhóm Nhóm ${id}` }).click()
  await boardName.check()
  await giveReason(page, 'Lưu')
  await expect(page.getByRole('button', { name: 'Sửa nhóm Cao thủ' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Sửa nhóm Cao thủ' }).nth(1).click()
  await boardName.uncheck()
  await giveReason(page, 'Lưu')
  await page.getByRole('button', { name: `Xóa nhóm Nhóm ${id}` }).click()
  await giveReason(page, 'Xóa')
  await expect(page.getByText(`Nhóm ${id}`)).toHaveCount(0)
})
