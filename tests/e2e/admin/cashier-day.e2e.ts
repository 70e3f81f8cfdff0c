import type { APIRequestContext } from '@playwright/test'
import { arrive } from '../player/arriving-money.ts'
import { expect, registerPlayer, whoIs, type Player, order } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { keyboardOf, thumbOf } from './hands.ts'
import { expectLoaded, openConsole, test } from './staff-page.ts'

/** Acts it may take. Without keys for lists and acts on several rows the same day took 319 by keyboard and 76 by thumb. */
const ACTS_MAX = { keyboard: 110, thumb: 45 }

type Caller = { request: APIRequestContext; dataDir: string }

let bankIds = 60_000_000 + Math.floor(Math.random() * 9_000_000)

const auth = ({ token }: Player) => ({ headers: { authorization: `Bearer ${token}` } })

/** Money that arrived without a code; returns the bank's reference. */
async function arriveWithout({ request, dataDir }: Caller, memo: string, amount: number): Promise<string> {
  bankIds += 1
  await arrive(request, dataDir, { id: bankIds, account: '0011000000001', memo, amount })
  return `FT${bankIds}`
}

/** A player with an unpaid order, and the money for it under the player's name. */
async function whoForgotTheCode(caller: Caller, amount: number): Promise<Player> {
  const player = await registerPlayer(caller.request)
  await order(caller.request, player.token, { amount })
  await arriveWithout(caller, `${player.username} nap tien`, amount)
  return player
}

/** A player's claim of missing money, and that money. */
async function whoClaims(caller: Caller, amount: number): Promise<Player> {
  const player = await registerPlayer(caller.request)
  const reference = await arriveWithout(caller, 'chuyen tien', amount)
  const claimed = await caller.request.post('/api/recharge/claims', {
    ...auth(player),
    multipart: { amount: String(amount), paid_at: new Date().toISOString(), bank_reference: reference },
  })
  expect(claimed.status(), await claimed.text()).toBe(201)
  return player
}

/** What other tests left on the desk is none of this day's work; yesterday was closed at night. */
const clearDesk = () =>
  withDatabase((database) =>
    database.query(`SET session_replication_role = replica;
      UPDATE bank_transaction SET state = 'ignored' WHERE state = 'review';
      UPDATE help_case SET state = 'closed', closed_at = now() WHERE state <> 'closed';
      INSERT INTO daily_close (account_number, day, revision, status, differences, arrived_count, arrived_vnd, told_vnd, left_vnd,
          credited_vnd, review_vnd, refunded_vnd, ignored_vnd, due_coins, ledger_coins, order_coins, direct_coins, open_events)
        VALUES ('0011000999', current_date - 1, 1, 'green', '{}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        ON CONFLICT DO NOTHING`),
  )

test('a cashier’s day, up to its close', async ({ page, aProvedStaff, request, portal, isMobile }) => {
  await clearDesk()
  const caller = { request, dataDir: portal.dataDir }
  const staff = await aProvedStaff('cashier')
  const payers: Player[] = []
  for (let number = 0; number < 5; number++)
    payers.push(await whoForgotTheCode(caller, 61_000 + number * 1_000))
  const claimants = [await whoClaims(caller, 71_000), await whoClaims(caller, 72_000)]
  const stranger = await arriveWithout(caller, 'chuyen nham, xin tra lai', 52_000)
  await openConsole(page, staff)
  await expectLoaded(page)
  const hands = isMobile ? thumbOf(page) : keyboardOf(page)
  const dialog = page.getByRole('dialog')

  await hands.goTo('h', 'Hộp tiền vào')
  await hands.act('Shift+X', page.getByRole('checkbox', { name: 'Chọn cả trang' }))
  await hands.press(page.getByRole('button', { name: 'Ghép các khoản đã chọn theo gợi ý' }))
  await expect(dialog.getByText(payers[4]?.username ?? '').first()).toBeVisible()
  await hands.type(dialog.getByLabel('Lý do'), 'Tên tài khoản trong nội dung')
  await hands.press(dialog.getByRole('button', { name: 'Thực hiện với 5 dòng' }))
  await expect(dialog).toContainText('Đã xong 5 trong 5 dòng.')
  await hands.press(dialog.getByRole('button', { name: 'Đóng' }).last())

  for (const { username } of claimants) {
    await hands.goTo('y', 'Yêu cầu hỗ trợ')
    await hands.openRow(page.getByRole('row').filter({ hasText: username }))
    await hands.press(page.getByRole('button', { name: `Cộng cho ${username}` }))
    await hands.type(dialog.getByLabel('Lý do'), 'Khớp mã giao dịch của ngân hàng')
    await hands.press(dialog.locator('[type=submit]'))
    await expect(dialog).toBeHidden()
  }

  await hands.goTo('h', 'Hộp tiền vào')
  await hands.openRow(page.getByRole('row').filter({ hasText: stranger }))
  await hands.act('r', page.getByRole('button', { name: 'Đã hoàn bằng tay' }))
  await hands.type(dialog.getByLabel('Mã giao dịch chuyển trả'), 'FT99887766')
  await hands.type(dialog.locator('[type=date]'), new Date().toISOString().slice(0, 10))
  await hands.type(dialog.getByLabel('Lý do'), 'Khách chuyển nhầm, đã trả lại')
  await hands.press(dialog.locator('[type=submit]'))
  await expect(dialog).toBeHidden()

  await hands.goTo('c', 'Chốt ngày')
  await hands.openRow(page.getByRole('row').filter({ hasText: '0011000999' }))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Chốt ngày')

  for (const [place, player] of [...payers, ...claimants].entries())
    expect((await whoIs(request, player.token)).balance).toBe((place < 5 ? 61_000 : 66_000) + place * 1_000)
  expect(hands.acts()).toBeLessThanOrEqual(isMobile ? ACTS_MAX.thumb : ACTS_MAX.keyboard)
})
