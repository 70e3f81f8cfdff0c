import type { Page } from '@playwright/test'
import { appCode } from '#tests/support/second-factor.ts'
import { expect, registerTrader, test, whoIs } from '../player/fixtures.ts'
import { aStaffMember, type StaffMember } from '../player/staff.ts'
import { openConsole } from './staff-page.ts'

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const searchBox = (page: Page) => page.getByRole('combobox', { name: /^Tìm người chơi/ })

/** Finds a player by the search box and opens their screen. */
async function findPlayer(page: Page, username: string): Promise<void> {
  await searchBox(page).fill(username)
  const found = page.getByRole('listbox', { name: 'Kết quả tìm kiếm' })
  await expect(found.getByRole('option').first()).toContainText(username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `Người chơi ${username}` })).toBeVisible()
}

test('an operator finds a player, reads the trail, bans them with a reason they read, and lifts it', async ({
  page,
  request,
  portal,
  browser,
  isMobile,
}) => {
  const staff = await aStaffMember(request, portal.dataDir, 'owner')
  const player = await registerTrader(request, 30_000)
  await openConsole(page, staff, '/users')
  await expect(page.getByRole('heading', { level: 1, name: 'Người chơi' })).toBeVisible()
  if (!isMobile) {
    await page.keyboard.press('/')
    await expect(searchBox(page)).toBeFocused()
  }
  await findPlayer(page, player.username)
  const trail = page.getByRole('list', { name: 'Dòng thời gian' })
  await expect(trail).toContainText('phí kích hoạt')
  await expect(trail.getByRole('link', { name: 'Đơn nạp' })).toBeVisible()
  await expect(trail.getByRole('link', { name: 'Khoản chuyển' })).toBeVisible()

  await act(page, 'Khóa').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Lí do').fill('Dùng phần mềm gian lận')
  await dialog.getByRole('button', { name: 'Khóa', exact: true }).click()
  await expect(page.getByText('Khóa đăng nhập vĩnh viễn').first()).toBeVisible()
  await expect(trail).toContainText('Dùng phần mềm gian lận')

  const theirs = await browser.newContext({ baseURL: portal.url })
  const site = await theirs.newPage()
  await site.goto('/login')
  const login = site.getByRole('dialog')
  await login.getByLabel('Tên đăng nhập').fill(player.username)
  await login.getByLabel('Mật khẩu', { exact: true }).fill(player.password)
  await login.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
  await expect(
    site.getByText('Tài khoản bị khóa đăng nhập vĩnh viễn, lý do: Dùng phần mềm gian lận'),
  ).toBeVisible()
  await theirs.close()

  await act(page, 'Mở khóa đăng nhập').click()
  await dialog.getByLabel('Lí do').fill('Đã xác minh lại')
  await dialog.getByRole('button', { name: 'Mở khóa đăng nhập' }).click()
  await expect(page.getByText('Khóa đăng nhập vĩnh viễn')).toHaveCount(0)
  const again = await request.post('/api/auth/login', {
    data: { username: player.username, password: player.password },
  })
  expect(again.status()).toBe(200)
})

test('a large adjustment waits for a second person, whose approval changes the balance', async ({
  page,
  request,
  portal,
  consoleErrors,
}) => {
  // The first try is refused until the second factor is proved again.
  consoleErrors.expect(/status of 409/)
  const first = await aStaffMember(request, portal.dataDir, 'owner')
  const second = await aStaffMember(request, portal.dataDir, 'owner')
  const player = await registerTrader(request, 10_000)
  await openConsole(page, first, '/users')
  await findPlayer(page, player.username)
  await act(page, 'Điều chỉnh số dư').click()
  const dialog = page.getByRole('dialog', { name: 'Điều chỉnh số dư' })
  await dialog.getByLabel('Số TCoin').fill('2.000.000')
  await dialog.getByLabel('Lí do').fill('Bù lỗi sự kiện')
  await dialog.getByRole('button', { name: 'Điều chỉnh số dư' }).click()
  await proveAnew(page, first)
  await expect(page.getByText('Đã gửi đề xuất, chờ người thứ hai duyệt')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Dòng thời gian' })).toContainText('đề xuất điều chỉnh số dư')
  expect((await whoIs(request, player.token)).balance).toBe(10_000)

  await page.evaluate((token) => sessionStorage.setItem('console-session', token), second.token)
  await page.addInitScript((token) => sessionStorage.setItem('console-session', token), second.token)
  await page.goto('/admin/proposals')
  const waiting = page.getByRole('article', { name: `Điều chỉnh số dư của ${player.username}` })
  await expect(waiting).toContainText('+2,000,000 TCoin')
  await waiting.getByRole('button', { name: 'Duyệt' }).click()
  const approval = page.getByRole('dialog', { name: /^Duyệt đề xuất/ })
  await approval.getByLabel('Lí do').fill('Đã kiểm tra')
  await approval.getByRole('button', { name: 'Duyệt', exact: true }).click()
  await proveAnew(page, second)
  await expect(approval).toBeHidden()
  expect((await whoIs(request, player.token)).balance).toBe(2_010_000)
  await findPlayer(page, player.username)
  await expect(page.getByRole('list', { name: 'Dòng thời gian' })).toContainText('duyệt điều chỉnh số dư')
})

test('a note is added and read by whoever opens the player', async ({ page, request, portal, newcomer }) => {
  const staff = await aStaffMember(request, portal.dataDir, 'support')
  await openConsole(page, staff, '/users')
  await findPlayer(page, newcomer.username)
  await page.getByLabel('Ghi chú mới').fill('<b>Đã gọi lại</b> lúc 9 giờ')
  await act(page, 'Thêm ghi chú').click()
  await expect(page.getByText('<b>Đã gọi lại</b> lúc 9 giờ', { exact: true })).toBeVisible()
  await expect(act(page, 'Khóa')).toHaveCount(0)
})

async function proveAnew(page: Page, { secret }: StaffMember): Promise<void> {
  const proof = page.getByRole('dialog', { name: 'Xác nhận lại' })
  await proof.getByLabel('Mã xác thực hai lớp').fill(appCode(secret, 1))
  await proof.getByRole('button', { name: 'Xác nhận' }).click()
}
