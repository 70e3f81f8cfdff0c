import type { APIRequestContext, Page } from '@playwright/test'
import { arrive } from '../player/arriving-money.ts'
import { expect, registerPlayer, registerTrader, whoIs, type Player, order } from '../player/fixtures.ts'
import { expectAccessible } from '../accessible.ts'
import { aParkedDelivery } from './parked-delivery.ts'
import {
  choose,
  expectLoaded,
  giveReason,
  openConsole,
  openFilters,
  prove,
  signInToConsole,
  test,
} from './staff-page.ts'

const CLICKS_MAX = 4

/** An unpaid order, and the same money on its account without the order's code. */
async function missingMoney(
  request: APIRequestContext,
  dataDir: string,
  { player, amount }: { player: Player; amount: number },
): Promise<{ code: string; reference: string }> {
  const made = await order(request, player.token, { amount })
  const id = 50_000_000 + Math.floor(Math.random() * 9_000_000)
  const memo = `${player.username} nap tien`
  await arrive(request, dataDir, { id, account: made.account_number, memo, amount })
  return { ...made, reference: `FT${id}` }
}

/** Counts every click on the page, whoever makes it. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('clicked', () => (clicks += 1))
  await page.evaluate(() =>
    addEventListener('click', () => (globalThis as unknown as { clicked(): void }).clicked(), true),
  )
  return () => clicks
}

const balanceOf = async (request: APIRequestContext, { token }: Player) =>
  (await whoIs(request, token)).balance

test(
  'a note about an order is read by whoever opens it',
  { tag: '@long' },
  async ({ page, aStaff, request, portal }) => {
    const player = await registerPlayer(request)
    const { code } = await missingMoney(request, portal.dataDir, { player, amount: 61_000 })
    const support = await aStaff('support')
    await openConsole(page, support, `/recharge-orders/${code}`)
    const notes = page.getByRole('region', { name: 'Ghi chú' })
    await expect(notes).toContainText('Chưa có ghi chú nào về đơn này.')
    await notes.getByLabel('Ghi chú mới').fill('<b>Đã gọi lại</b> lúc 9 giờ')
    await notes.getByRole('button', { name: 'Thêm ghi chú' }).click()
    await expect(notes.getByText('<b>Đã gọi lại</b> lúc 9 giờ', { exact: true })).toBeVisible()
    await expect(notes.getByLabel('Ghi chú mới')).toHaveValue('')
    await expect(notes.getByRole('listitem')).toContainText(support.username)
  },
)

test(
  'several transfers are matched with one reason',
  { tag: '@long' },
  async ({ page, aProvedStaff, request, portal }) => {
    const staff = await aProvedStaff('cashier')
    const players = [await registerPlayer(request), await registerPlayer(request)]
    for (const player of players) await missingMoney(request, portal.dataDir, { player, amount: 83_000 })
    await openConsole(page, staff, '/bank-transfers?amount=83000')
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).click()
    await page.getByRole('button', { name: 'Ghép các khoản đã chọn theo gợi ý' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ghép các khoản đã chọn theo gợi ý' })
    for (const { username } of players) await expect(dialog).toContainText(username)
    await expectAccessible(page)
    const ticks = await dialog.getByRole('checkbox', { checked: true }).all()
    expect(ticks).toHaveLength(2)
    for (const tick of ticks.toReversed()) await tick.uncheck()
    await expect(dialog.getByRole('button', { name: 'Thực hiện với 0 dòng' })).toBeDisabled()
    for (const tick of await dialog.getByRole('checkbox').all()) await tick.check()
    await giveReason(page, 'Thực hiện với 2 dòng', 'Nội dung ghi tên người chơi')
    await expect(page.getByRole('dialog', { name: /kết quả$/ })).toContainText('Đã xong 2 trong 2 dòng.')
    expect(await Promise.all(players.map((player) => balanceOf(request, player)))).toEqual([83_000, 83_000])
  },
)

test('missing money is matched in at most four clicks', async ({ page, aProvedStaff, request, portal }) => {
  const player = await registerPlayer(request)
  const staff = await aProvedStaff('cashier')
  const { code } = await missingMoney(request, portal.dataDir, { player, amount: 137_000 })
  await openConsole(page, staff)
  await expectLoaded(page)
  const clicks = await countClicks(page)
  await page.getByRole('combobox', { name: /^Tìm người chơi/ }).fill(player.username)
  await page.getByRole('option', { name: player.username }).first().click()
  const missing = page.getByRole('region', { name: 'Tiền chưa ghép' })
  await expect(missing).toContainText(code)
  await expect(missing).toContainText(`${player.username} nap tien`)
  await missing.getByRole('link', { name: 'Xem và ghép' }).click()
  await page.getByRole('button', { name: `Ghép với đơn ${code}` }).click()
  await giveReason(page, 'Ghép và cộng', 'Tên tài khoản trong nội dung')
  await expect(page.getByText('Khoản này đã xử lý xong, không cần gợi ý.')).toBeVisible()
  expect(clicks()).toBeGreaterThan(2)
  expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  expect(await balanceOf(request, player)).toBe(137_000)
})

test(
  'missing money is matched from two sides',
  { tag: '@long' },
  async ({ page, aStaff, request, portal, consoleErrors }) => {
    // The first try is refused until the second factor is proved again.
    consoleErrors.expect(/status of 409/)
    const player = await registerPlayer(request)
    const staff = await aStaff('cashier')
    const first = await missingMoney(request, portal.dataDir, { player, amount: 137_000 })
    await signInToConsole(page, staff)
    await page.goto(`/admin/recharge-orders?user=${player.username}`)
    await page.getByRole('link', { name: first.code }).click()
    await page.getByRole('button', { name: 'Ghép với đơn này' }).click()
    await giveReason(page, 'Ghép và cộng', 'Tên tài khoản trong nội dung')
    await prove(page, staff)
    await expect(page.getByText('Đã nhận đủ')).toBeVisible()

    const second = await missingMoney(request, portal.dataDir, { player, amount: 139_000 })
    await choose(page, 'Hộp tiền vào')
    await page.getByRole('row').filter({ hasText: second.reference }).getByRole('link').first().click()
    await page.getByRole('button', { name: `Ghép với đơn ${second.code}` }).click()
    await giveReason(page, 'Ghép và cộng', 'Tên tài khoản trong nội dung')
    await expect(page.getByText('Khoản này đã xử lý xong, không cần gợi ý.')).toBeVisible()
    await page.getByRole('button', { name: 'Khoản sau' }).click()
    await expect(page.getByText('Không còn khoản nào ở phía này.')).toBeVisible()
    await choose(page, 'Hộp tiền vào')
    await openFilters(page)
    const state = page.getByRole('combobox', { name: 'Trạng thái' })
    await expect(state.locator('option:checked')).toHaveText('Chờ kiểm tra')
    await expect(page.getByRole('row').filter({ hasText: second.reference })).toHaveCount(0)
    await state.selectOption('Tất cả')
    await expect(page.getByRole('row').filter({ hasText: second.reference })).toContainText('Đã cộng')
    expect(await balanceOf(request, player)).toBe(276_000)
  },
)

test('a parked delivery is sent again or refunded', async ({ page, aStaff, request, consoleErrors }) => {
  consoleErrors.expect(/status of 409/)
  const player = await registerTrader(request, 200_000)
  const staff = await aStaff('cashier')
  const [resent, refunded] = [await aParkedDelivery(request, player), await aParkedDelivery(request, player)]
  const held = await balanceOf(request, player)

  await signInToConsole(page, staff)
  await choose(page, 'Giao hàng')
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Trạng thái' }).selectOption('Bị treo')
  await expect(page.getByRole('heading', { name: 'Máy chủ game' })).toBeVisible()
  await page.getByRole('link', { name: resent.slice(0, 8) }).click()
  await page.getByRole('button', { name: 'Hỏi game' }).click()
  await giveReason(page, 'Hỏi game', 'Người chơi báo chưa nhận được')
  await expect(page.getByRole('table', { name: 'Các lần hỏi game' })).toContainText('Chưa từng giao')
  await page.getByRole('button', { name: 'Gửi lại' }).click()
  await giveReason(page, 'Gửi lại', 'Game đã chạy lại')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(async () => {
    await page.reload()
    await expectLoaded(page)
    expect(await page.getByText('Game đã nhận', { exact: true }).first().isVisible()).toBe(true)
  }).toPass()
  expect(await balanceOf(request, player)).toBe(held)

  await page.goto(`/admin/deliveries/${refunded}`)
  await page.getByRole('button', { name: 'Hoàn TCoin' }).click()
  await giveReason(page, 'Hoàn TCoin', 'Người chơi đổi ý, game chưa giao')
  await prove(page, staff)
  await expect(page.getByText('Đã hoàn', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('table', { name: 'Các lần hỏi game' })).toContainText('Yêu cầu hủy')
  expect(await balanceOf(request, player)).toBeGreaterThan(held)
})
