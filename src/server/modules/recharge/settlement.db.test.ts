import { afterAll, afterEach, beforeAll, describe, expect, test as it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import {
  ACB,
  ageOrder,
  aNotification,
  asOwner,
  assertBooks,
  balanceOf,
  deliver,
  openAccounts,
  orderNow,
  outcome,
  payment,
  setSetting,
  storedEvents,
  vietnamTime,
} from '#tests/support/bank.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
  await openAccounts(test)
})
afterAll(() => test.close())
afterEach(() => assertBooks(test))

describe('a transfer with the code of an order', () => {
  it('is credited once its notification has been answered', async () => {
    const paying = await payment(test)
    const { player, order } = paying
    const notification = aNotification({ content: order.code })
    const answer = await deliver(test, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await outcome(test, paying, notification)).toEqual({
      balance: 50_000,
      order: 'paid',
      credited: 50_000,
      event: 'applied',
      reason: null,
      transfer: 'credited',
    })
    const statement = await test.call('GET', '/api/user/transactions', { token: player.token })
    expect(statement.body).toMatchObject({
      data: [{ type: 'recharge', amount: 50_000, balance_after: 50_000, reference: order.code }],
    })
    expect((await orderNow(test, player, order.code)).qr_svg).toBe('')
  })

  it.each([
    [
      'from the same bank',
      (code: string) => `MBVCB.3278907687.${code}.CT tu 0011000000009 NGUYEN VAN A toi 0011`,
    ],
    ['from another bank', (code: string) => `884114.201126.223854.${code}`],
    ['from a wallet', (code: string) => `311447.201126.213735.15330734312-0901234567-${code}`],
    ['in small letters', (code: string) => `nap ${code.toLowerCase()} cam on`],
    ['cut into pieces', (code: string) => `${code.slice(0, 8)} ${code.slice(8)}`],
    ['with marks between', (code: string) => `Nạp tiền-${code.slice(0, 5)}.${code.slice(5)}/đ`],
  ])('is found in the memo as banks pass it on: %s', async (_what, memo) => {
    const paying = await payment(test)
    const { order } = paying
    const notification = aNotification({ content: memo(order.code) })
    await deliver(test, notification)
    expect(await outcome(test, paying, notification)).toMatchObject({ balance: 50_000, order: 'paid' })
  })

  it('is credited with what arrived, less or more than asked', async () => {
    const less = await payment(test)
    await deliver(test, aNotification({ content: less.order.code, transferAmount: 20_000 }))
    expect(await orderNow(test, less.player, less.order.code)).toMatchObject({
      status: 'paid_under',
      credited: 20_000,
      payment: { amount: 20_000, credited_at: expect.any(String) },
    })
    expect(await balanceOf(test, less.player)).toBe(20_000)
    const more = await payment(test)
    await deliver(test, aNotification({ content: more.order.code, transferAmount: 70_000 }))
    expect(await orderNow(test, more.player, more.order.code)).toMatchObject({
      status: 'paid_over',
      credited: 70_000,
    })
    expect(await balanceOf(test, more.player)).toBe(70_000)
  })

  it('is credited at the rate of the order, whatever the rate is when it arrives', async () => {
    await setSetting(test, 'recharge_rate', '3')
    const { player, order } = await payment(test, 10_000)
    await setSetting(test, 'recharge_rate', '1')
    await deliver(test, aNotification({ content: order.code, transferAmount: 10_000 }))
    expect(await balanceOf(test, player)).toBe(30_000)
    expect((await orderNow(test, player, order.code)).credited).toBe(30_000)
  })

  it('is credited after the order has expired, for three days', async () => {
    const late = await payment(test)
    await ageOrder(test, late.order.code, 71)
    const inTime = aNotification({ content: late.order.code, referenceCode: `FT${Date.now()}4821` })
    await deliver(test, inTime)
    expect(await outcome(test, late, inTime)).toMatchObject({
      balance: 50_000,
      order: 'paid',
    })
    const tooLate = await payment(test)
    await ageOrder(test, tooLate.order.code, 73)
    const notification = aNotification({ content: tooLate.order.code })
    await deliver(test, notification)
    expect(await outcome(test, tooLate, notification)).toEqual({
      balance: 0,
      order: 'review',
      credited: 0,
      event: 'review',
      reason: 'too-late',
      transfer: 'review',
    })
    // What the player is told of each: the end of the bank's reference, and that the second still waits.
    expect((await orderNow(test, late.player, late.order.code)).payment?.bank_reference).toBe('••••4821')
    expect((await orderNow(test, tooLate.player, tooLate.order.code)).payment).toMatchObject({
      amount: 50_000,
      credited_at: null,
    })
  })

  it('told of days later is credited by the bank’s own time', async () => {
    const paying = await payment(test)
    const { order } = paying
    await ageOrder(test, order.code, 100)
    const paidAt = new Date(Date.parse(order.created_at) - 100 * 3_600_000 + 60_000)
    const notification = aNotification({ content: order.code, transactionDate: vietnamTime(paidAt) })
    await deliver(test, notification)
    expect(await outcome(test, paying, notification)).toMatchObject({ balance: 50_000, order: 'paid' })
  })

  it('is credited to the account its QR showed, even when that is no longer in the settings', async () => {
    const paying = await payment(test)
    const { order } = paying
    await setSetting(test, 'bank_account_vietcombank', '')
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    await openAccounts(test)
    expect(await outcome(test, paying, notification)).toMatchObject({ balance: 50_000, order: 'paid' })
  })

  it('waits for a person when the order was cancelled', async () => {
    const paying = await payment(test)
    const { player, order } = paying
    await test.call('POST', `/api/recharge/orders/${order.code}/cancel`, { token: player.token })
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    expect(await outcome(test, paying, notification)).toMatchObject({
      balance: 0,
      order: 'cancelled',
      event: 'review',
      reason: 'order-cancelled',
      transfer: 'review',
    })
  })

  it('waits for a person when the order is paid already', async () => {
    const paying = await payment(test)
    const { order } = paying
    await deliver(test, aNotification({ content: order.code }))
    const second = aNotification({ content: order.code })
    await deliver(test, second)
    expect(await outcome(test, paying, second)).toMatchObject({
      balance: 50_000,
      order: 'paid',
      event: 'review',
      reason: 'order-already-paid',
      transfer: 'review',
    })
    const [event] = await storedEvents(test, second)
    expect(event?.order_code).toBe(order.code)
  })

  it('waits for a person when the player is banned', async () => {
    const paying = await payment(test)
    const { player, order } = paying
    await asOwner(test, `UPDATE users SET ban_until = now() + interval '1 day' WHERE id = $1`, [player.id])
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    expect(await outcome(test, paying, notification)).toMatchObject({
      balance: 0,
      order: 'review',
      reason: 'user-banned',
    })
  })

  it.each([
    ['below the minimum', { transferAmount: 9_999 }, 'below-minimum'],
    ['above the maximum', { transferAmount: 50_000_001 }, 'above-maximum'],
    ['on our other account', { accountNumber: ACB.number }, 'wrong-account'],
  ])('waits for a person when it is %s', async (_what, change, reason) => {
    const paying = await payment(test)
    const { order } = paying
    const notification = aNotification({ content: order.code, ...change })
    expect((await deliver(test, notification)).status).toBe(200)
    expect(await outcome(test, paying, notification)).toMatchObject({
      balance: 0,
      order: 'review',
      event: 'review',
      reason,
      transfer: 'review',
    })
  })
})

describe('a transfer nobody can place', () => {
  it.each([
    ['without a code', () => 'NGUYEN VAN A chuyen tien', 'no-code'],
    ['with a code nobody has', () => 'TCXABCDEFGHJD', 'unknown-code'],
    ['with a code cut short', (code: string) => code.slice(0, -1), 'no-code'],
    ['with two codes', (code: string) => `${code} TCXABCDEFGHJD`, 'two-codes'],
  ])('%s is kept for a person, and answered like any other', async (_what, memo, reason) => {
    const paying = await payment(test)
    const { order } = paying
    const notification = aNotification({ content: memo(order.code) })
    const answer = await deliver(test, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await outcome(test, paying, notification)).toEqual({
      balance: 0,
      order: 'pending',
      credited: 0,
      event: 'review',
      reason,
      transfer: 'review',
    })
  })
})

describe('what is no recharge is stored and ignored', () => {
  it.each([
    ['the trial call of the dashboard', { id: 0 }, 'test-ping', null],
    ['money going out', { transferType: 'out' }, 'outgoing', 'ignored'],
    ['another’s account', { accountNumber: '9990000000009', content: 'nap' }, 'foreign-account', null],
  ])('%s', async (_what, change, reason, state) => {
    const notification = aNotification(change)
    const answer = await deliver(test, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await storedEvents(test, notification)).toMatchObject([{ status: 'ignored', reason, state }])
  })

  it('even with the code of an open order', async () => {
    const paying = await payment(test)
    const { order } = paying
    const outgoing = aNotification({ transferType: 'out', content: order.code })
    await deliver(test, outgoing)
    expect(await outcome(test, paying, outgoing)).toMatchObject({ balance: 0, order: 'pending' })
  })
})
