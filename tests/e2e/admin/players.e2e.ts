import type { Page } from '@playwright/test'
import { expect, registerTrader, whoIs, sendLogin } from '../player/fixtures.ts'
import { expectAccessible } from '../accessible.ts'
import {
  choose,
  consoleOf,
  openConsole,
  prove,
  recordToasts,
  signInToConsole,
  test,
  giveReason,
} from './staff-page.ts'

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
  aStaff,
  request,
  portal,
  browser,
  isMobile,
  consoleErrors,
}) => {
  // The first try is refused until the second factor is proved again.
  consoleErrors.expect(/status of 409/)
  const staff = await aStaff('owner')
  const player = await registerTrader(request, 30_000)
  await signInToConsole(page, staff)
  await choose(page, 'Người chơi')
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
  await giveReason(page, 'Khóa', 'Dùng phần mềm gian lận')
  await prove(page, staff)
  await expect(page.getByText('Khóa đăng nhập vĩnh viễn').first()).toBeVisible()
  await expect(trail).toContainText('Dùng phần mềm gian lận')

  const theirs = await browser.newContext({ baseURL: portal.url })
  const site = await theirs.newPage()
  await site.goto('/login')
  const login = site.getByRole('dialog')
  await sendLogin(login, player)
  await expect(
    site.getByText('Tài khoản bị khóa đăng nhập vĩnh viễn, lý do: Dùng phần mềm gian lận'),
  ).toBeVisible()
  await theirs.close()

  await act(page, 'Mở khóa đăng nhập').click()
  await giveReason(page, 'Mở khóa đăng nhập', 'Đã xác minh lại')
  await expect(page.getByText('Khóa đăng nhập vĩnh viễn')).toHaveCount(0)
  const again = await request.post('/api/auth/login', {
    data: { username: player.username, password: player.password },
  })
  expect(again.status()).toBe(200)
})

test(
  'a large adjustment waits for a second person, whose approval changes the balance',
  { tag: '@long' },
  async ({ page, aStaff, request, portal, browser, consoleErrors }) => {
    // The first try is refused until the second factor is proved again.
    consoleErrors.expect(/status of 409/)
    const first = await aStaff('owner')
    const second = await aStaff('owner')
    const player = await registerTrader(request, 10_000)
    await signInToConsole(page, first)
    await findPlayer(page, player.username)
    const toasts = await recordToasts(page)
    const waiting = page.getByRole('link', { name: /^Đề xuất/ })
    const before = await waiting.innerText()
    await act(page, 'Điều chỉnh số dư').click()
    const dialog = page.getByRole('dialog', { name: 'Điều chỉnh số dư' })
    await dialog.getByLabel('Số TCoin').fill('2.000.000')
    await giveReason(page, 'Điều chỉnh số dư', 'Bù lỗi sự kiện')
    await prove(page, first)
    await expect(page.getByText('Đã gửi đề xuất, chờ người thứ hai duyệt')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Dòng thời gian' })).toContainText(
      'đề xuất cộng 2,000,000 TCoin cho',
    )
    expect((await whoIs(request, player.token)).balance).toBe(10_000)
    // The server has notified this console of the proposal too, but its maker needs no notice.
    await expect(waiting).not.toHaveText(before)
    expect(toasts()).toEqual(['Đã gửi đề xuất, chờ người thứ hai duyệt'])

    const other = await consoleOf(browser, portal.url, second)
    await choose(other, 'Đề xuất')
    const proposal = other.getByRole('article', { name: `Điều chỉnh số dư của ${player.username}` })
    await expect(proposal).toContainText('+2,000,000 TCoin')
    await proposal.getByRole('button', { name: 'Duyệt' }).click()
    const approval = other.getByRole('dialog', { name: /^Duyệt đề xuất/ })
    await giveReason(other, 'Duyệt', 'Đã kiểm tra')
    await prove(other, second)
    await expect(approval).toBeHidden()
    expect((await whoIs(request, player.token)).balance).toBe(2_010_000)
    await findPlayer(other, player.username)
    await expect(other.getByRole('list', { name: 'Dòng thời gian' })).toContainText(
      /duyệt đề xuất của \S+: cộng 2,000,000 TCoin cho/,
    )
  },
)

test(
  'a note is added and read by whoever opens the player',
  { tag: '@long' },
  async ({ page, aStaff, newcomer }) => {
    const staff = await aStaff('support')
    await openConsole(page, staff, '/users')
    await findPlayer(page, newcomer.username)
    await page.getByLabel('Ghi chú mới').fill('<b>Đã gọi lại</b> lúc 9 giờ')
    await act(page, 'Thêm ghi chú').click()
    await expect(page.getByText('<b>Đã gọi lại</b> lúc 9 giờ', { exact: true })).toBeVisible()
    await expect(act(page, 'Khóa')).toHaveCount(0)
  },
)

test('an operator sees pages as the player does, read-only', async ({ page, aStaff, request }) => {
  const staff = await aStaff('support')
  const player = await registerTrader(request, 30_000)
  const { id } = await whoIs(request, player.token)
  await openConsole(page, staff, `/users/${id}`)
  await act(page, 'Xem như người chơi').click()
  await giveReason(page, 'Xem', 'Người chơi gọi hỏi đơn nạp')
  const view = page.getByRole('region', { name: `Như ${player.username} thấy` })
  await expect(view).toContainText('Không có gì chặn người chơi này.')
  await expect(view.getByRole('table', { name: 'Đơn nạp' })).toContainText('Đã nhận đủ')
  await expect(view.getByRole('table', { name: 'Lịch sử giao dịch' })).toContainText('Nạp')
  await expect(view.getByRole('button')).toHaveCount(1)
  await expectAccessible(page)
  await expect(page.getByRole('list', { name: 'Dòng thời gian' })).toContainText(
    `xem các trang như ${player.username} thấy`,
  )
  await view.getByRole('button', { name: 'Thôi xem' }).click()
  await expect(view).toHaveCount(0)
})
