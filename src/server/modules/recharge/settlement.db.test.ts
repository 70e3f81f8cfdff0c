import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test as it, vi } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { startRechargeJobs } from './recharge.jobs.ts'
import { sweepEvents } from './settlement.service.ts'
import {
  ACB,
  ageOrder,
  aNotification,
  anOrder,
  asOwner,
  balanceOf,
  brokenChecks,
  deliver,
  openAccounts,
  orderNow,
  setSetting,
  storedEvents,
  VIETCOMBANK,
  vietnamTime,
} from './testing/bank.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
  await openAccounts(test)
})
afterAll(() => test.close())
// Whatever a test did, the books are right after it.
afterEach(async () => expect(await brokenChecks(test)).toEqual([]))

async function payment(amount = 50_000) {
  const player = await aPlayer(test)
  const order = await anOrder(test, player, { amount })
  return { player, order }
}

/** What a player has after a notification, where the order stands, and what is kept about the transfer. */
async function outcome(player: TestPlayer, code: string, notification: { id: number }) {
  const [event] = await storedEvents(test, notification)
  const order = await orderNow(test, player, code)
  return {
    balance: await balanceOf(test, player),
    order: order.status,
    credited: order.credited,
    event: event?.status,
    reason: event?.reason,
    transfer: event?.state,
  }
}

describe('a transfer with the code of an order', () => {
  it('is credited once its notification has been answered', async () => {
    const { player, order } = await payment()
    const notification = aNotification({ content: order.code })
    const answer = await deliver(test, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await outcome(player, order.code, notification)).toEqual({
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
    const { player, order } = await payment()
    const notification = aNotification({ content: memo(order.code) })
    await deliver(test, notification)
    expect(await outcome(player, order.code, notification)).toMatchObject({ balance: 50_000, order: 'paid' })
  })

  it('is credited with what arrived, less or more than asked', async () => {
    const less = await payment()
    await deliver(test, aNotification({ content: less.order.code, transferAmount: 20_000 }))
    expect(await orderNow(test, less.player, less.order.code)).toMatchObject({
      status: 'paid_under',
      credited: 20_000,
    })
    expect(await balanceOf(test, less.player)).toBe(20_000)
    const more = await payment()
    await deliver(test, aNotification({ content: more.order.code, transferAmount: 70_000 }))
    expect(await orderNow(test, more.player, more.order.code)).toMatchObject({
      status: 'paid_over',
      credited: 70_000,
    })
    expect(await balanceOf(test, more.player)).toBe(70_000)
  })

  it('is credited at the rate of the order, whatever the rate is when it arrives', async () => {
    await setSetting(test, 'recharge_rate', '3')
    const { player, order } = await payment(10_000)
    await setSetting(test, 'recharge_rate', '1')
    await deliver(test, aNotification({ content: order.code, transferAmount: 10_000 }))
    expect(await balanceOf(test, player)).toBe(30_000)
    expect((await orderNow(test, player, order.code)).credited).toBe(30_000)
  })

  it('is credited after the order has expired, for three days', async () => {
    const late = await payment()
    await ageOrder(test, late.order.code, 71)
    const inTime = aNotification({ content: late.order.code })
    await deliver(test, inTime)
    expect(await outcome(late.player, late.order.code, inTime)).toMatchObject({
      balance: 50_000,
      order: 'paid',
    })
    const tooLate = await payment()
    await ageOrder(test, tooLate.order.code, 73)
    const notification = aNotification({ content: tooLate.order.code })
    await deliver(test, notification)
    expect(await outcome(tooLate.player, tooLate.order.code, notification)).toEqual({
      balance: 0,
      order: 'review',
      credited: 0,
      event: 'review',
      reason: 'too-late',
      transfer: 'review',
    })
  })

  it('told of days later is credited by the bank’s own time', async () => {
    const { player, order } = await payment()
    await ageOrder(test, order.code, 100)
    const paidAt = new Date(Date.parse(order.created_at) - 100 * 3_600_000 + 60_000)
    const notification = aNotification({ content: order.code, transactionDate: vietnamTime(paidAt) })
    await deliver(test, notification)
    expect(await outcome(player, order.code, notification)).toMatchObject({ balance: 50_000, order: 'paid' })
  })

  it('is credited to the account its QR showed, even when that is no longer in the settings', async () => {
    const { player, order } = await payment()
    await setSetting(test, 'bank_account_vietcombank', '')
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    await openAccounts(test)
    expect(await outcome(player, order.code, notification)).toMatchObject({ balance: 50_000, order: 'paid' })
  })

  it('waits for a person when the order was cancelled', async () => {
    const { player, order } = await payment()
    await test.call('POST', `/api/recharge/orders/${order.code}/cancel`, { token: player.token })
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    expect(await outcome(player, order.code, notification)).toMatchObject({
      balance: 0,
      order: 'cancelled',
      event: 'review',
      reason: 'order-cancelled',
      transfer: 'review',
    })
  })

  it('waits for a person when the order is paid already', async () => {
    const { player, order } = await payment()
    await deliver(test, aNotification({ content: order.code }))
    const second = aNotification({ content: order.code })
    await deliver(test, second)
    expect(await outcome(player, order.code, second)).toMatchObject({
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
    const { player, order } = await payment()
    await asOwner(test, `UPDATE users SET ban_until = now() + interval '1 day' WHERE id = $1`, [player.id])
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    expect(await outcome(player, order.code, notification)).toMatchObject({
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
    const { player, order } = await payment()
    const notification = aNotification({ content: order.code, ...change })
    expect((await deliver(test, notification)).status).toBe(200)
    expect(await outcome(player, order.code, notification)).toMatchObject({
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
    const { player, order } = await payment()
    const notification = aNotification({ content: memo(order.code) })
    const answer = await deliver(test, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await outcome(player, order.code, notification)).toEqual({
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
    const { player, order } = await payment()
    const outgoing = aNotification({ transferType: 'out', content: order.code })
    await deliver(test, outgoing)
    expect(await outcome(player, order.code, outgoing)).toMatchObject({ balance: 0, order: 'pending' })
  })
})

describe('a transfer is credited once', () => {
  it('however often its notification comes, 50 at a time', async () => {
    const { player, order } = await payment()
    const notification = aNotification({ content: order.code })
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(test, notification)))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`))).toEqual(
      new Set(['200 {"success":true}']),
    )
    expect((await deliver(test, notification)).status).toBe(200)
    expect(await balanceOf(test, player)).toBe(50_000)
    expect(await storedEvents(test, notification)).toHaveLength(1)
  })

  it('when two notifications tell of it, at once or one after the other', async () => {
    for (const isAtOnce of [true, false]) {
      const { player, order } = await payment()
      const first = aNotification({ content: order.code })
      const second = aNotification({ content: order.code, referenceCode: first.referenceCode })
      if (isAtOnce) {
        await Promise.all([deliver(test, first), deliver(test, second)])
      } else {
        await deliver(test, first)
        await deliver(test, second)
      }
      expect(await balanceOf(test, player)).toBe(50_000)
      const events = [...(await storedEvents(test, first)), ...(await storedEvents(test, second))]
      expect(events.map((event) => event.status).sort()).toEqual(['applied', 'duplicate'])
      expect(events.map((event) => event.state)).toEqual(['credited', 'credited'])
    }
  })

  it('when two notifications tell of it in different words', async () => {
    const { player, order } = await payment()
    const first = aNotification({ content: 'chuyen tien' })
    const second = aNotification({ content: order.code, referenceCode: first.referenceCode })
    await Promise.all([deliver(test, first), deliver(test, second)])
    const events = [...(await storedEvents(test, first)), ...(await storedEvents(test, second))]
    // Whoever comes first decides; the transfer itself is one row in either case.
    expect(events.map((event) => event.status)).toContain('duplicate')
    expect(new Set(events.map((event) => event.state)).size).toBe(1)
    expect([0, 50_000]).toContain(await balanceOf(test, player))
  })

  it('and a known reference with another amount is left to a person', async () => {
    const { player, order } = await payment()
    const first = aNotification({ content: order.code })
    const other = aNotification({
      content: order.code,
      referenceCode: first.referenceCode,
      transferAmount: 60_000,
    })
    await deliver(test, first)
    await deliver(test, other)
    expect(await balanceOf(test, player)).toBe(50_000)
    expect(await storedEvents(test, other)).toMatchObject([
      { status: 'review', reason: 'reference-conflict', state: 'credited' },
    ])
  })

  it('when ten transfers with one code arrive at once: one is credited, nine wait', async () => {
    const { player, order } = await payment()
    const notifications = Array.from({ length: 10 }, () => aNotification({ content: order.code }))
    await Promise.all(notifications.map((notification) => deliver(test, notification)))
    expect(await balanceOf(test, player)).toBe(50_000)
    const statuses = await Promise.all(
      notifications.map(async (notification) => (await storedEvents(test, notification))[0]?.status),
    )
    expect(statuses.sort()).toEqual(['applied', ...Array.from({ length: 9 }, () => 'review')])
  })
})

describe('a crash between storing and crediting', () => {
  /** Until it is undone, payments of orders fail at their very end, when the ledger has been written already. */
  async function breakPayments(condition = 'true'): Promise<() => Promise<void>> {
    await asOwner(
      test,
      `CREATE FUNCTION break_payment() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'broken for the test'; END $$`,
    )
    await asOwner(
      test,
      `CREATE TRIGGER break_payment BEFORE UPDATE ON payment_order FOR EACH ROW WHEN (${condition})
         EXECUTE FUNCTION break_payment()`,
    )
    return () => asOwner(test, 'DROP FUNCTION break_payment CASCADE')
  }

  it('loses nothing: the provider is told that it arrived, and the sweeper credits it, once', async () => {
    const { player, order } = await payment()
    const notification = aNotification({ content: order.code })
    const repair = await breakPayments()
    const answer = await deliver(test, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await outcome(player, order.code, notification)).toMatchObject({ balance: 0, event: 'new' })
    expect(test.logged()).toContain('stored but not settled yet')
    // A repetition does not help it along, and does no harm.
    expect((await deliver(test, notification)).status).toBe(200)
    expect(await balanceOf(test, player)).toBe(0)
    await repair()
    const jobs = startRechargeJobs(test.deps)
    try {
      await vi.waitFor(async () => expect(await balanceOf(test, player)).toBe(50_000), {
        timeout: 10_000,
        interval: 100,
      })
    } finally {
      await Promise.all(jobs.map((job) => job.stop()))
    }
    expect(await outcome(player, order.code, notification)).toMatchObject({ order: 'paid', event: 'applied' })
  })

  it('is swept up by two processes at once without a second credit, and one bad event holds up no other', async () => {
    const [bad, ...good] = await Promise.all(Array.from({ length: 5 }, () => payment()))
    const repair = await breakPayments()
    const notifications = [bad!, ...good].map(({ order }) => aNotification({ content: order.code }))
    for (const notification of notifications) await deliver(test, notification)
    // Young ones are left to the request that brought them.
    expect(await sweepEvents(test.deps, '0')).toBe('0')
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await repair()
    const repairBad = await breakPayments(`NEW.code = '${bad!.order.code}'`)
    await Promise.all([sweepEvents(test.deps, '0'), sweepEvents(test.deps, '0')])
    for (const { player } of good) expect(await balanceOf(test, player)).toBe(50_000)
    expect(await balanceOf(test, bad!.player)).toBe(0)
    await repairBad()
    await sweepEvents(test.deps, '0')
    expect(await balanceOf(test, bad!.player)).toBe(50_000)
  })
})

describe('a crediting', () => {
  it('takes at most 12 statements, from the notification to its answer', async () => {
    const { player, order } = await payment()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await deliver(test, aNotification({ content: order.code }))
    const statements = query.mock.calls.map(([statement]) => {
      const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
      return text.replace(/\s+/g, ' ').trim().slice(0, 60)
    })
    query.mockRestore()
    expect(await balanceOf(test, player)).toBe(50_000)
    // Among them are the two that begin and end the transaction.
    expect(statements.map((text) => text.toLowerCase())).toEqual(expect.arrayContaining(['begin', 'commit']))
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(12)
  })

  it('goes to the account number as shown, and is named in the ledger by its bank transaction', async () => {
    const { player, order } = await payment()
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    const row = await test.db
      .selectFrom('bank_transaction as bank')
      .innerJoin('ledger_transfer as transfer', 'transfer.id', 'bank.transfer_id')
      .select([
        'bank.account_number',
        'bank.user_id',
        'transfer.source_type',
        'transfer.source_id',
        'bank.id',
      ])
      .where('bank.bank_ref', '=', notification.referenceCode)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      id: row.id,
      account_number: VIETCOMBANK.number,
      user_id: player.id,
      source_type: 'bank_transaction',
      source_id: row.id,
    })
  })
})
