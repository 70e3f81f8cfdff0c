import { afterEach, beforeAll, describe, expect, test as it, vi } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { startBankInboxJobs } from '../bank-inbox.jobs.ts'
import { listUndecidedEvents } from './settlement.queries.ts'
import { settleEvent, sweepEvents } from './settlement.service.ts'
import {
  ageOrder,
  aNotification,
  balanceOf,
  deliver,
  openAccounts,
  orderNow,
  outcome,
  payment,
  storedEvents,
} from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { setSetting } from '#tests/support/settings.ts'

const test = useTestApp()
beforeAll(async () => {
  await openAccounts(test)
})
afterEach(() => expectReconciled(test))

describe('a transfer is credited once', () => {
  it('to an order with a credit, whatever its status says', async () => {
    const paying = await payment(test)
    const { order, player } = paying
    await asOwner(test, `UPDATE payment_order SET credited = 50000 WHERE code = '${order.code}'`)
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    expect(await balanceOf(test, player)).toBe(0)
    expect(await storedEvents(test, notification)).toMatchObject([
      { status: 'review', reason: 'order-already-paid' },
    ])
    await asOwner(test, `UPDATE payment_order SET credited = 0 WHERE code = '${order.code}'`)
  })

  it('however often its notification comes, 50 at a time', async () => {
    const { player, order } = await payment(test)
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
      const { player, order } = await payment(test)
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
    const { player, order } = await payment(test)
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
    const { player, order } = await payment(test)
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

  it('and a reference the bank gave to the transfer of another order as well is left to a person', async () => {
    const [first, other] = [await payment(test), await payment(test)]
    const told = aNotification({ content: first.order.code })
    const later = aNotification({ content: other.order.code, referenceCode: told.referenceCode })
    await deliver(test, told)
    await deliver(test, later)
    expect(await storedEvents(test, later)).toMatchObject([
      { status: 'review', reason: 'reference-conflict', state: 'credited' },
    ])
    expect([await balanceOf(test, first.player), await balanceOf(test, other.player)]).toEqual([50_000, 0])
  })

  it('when its event is taken up again by somebody who comes late, with no reference to tell it by', async () => {
    const { player, order } = await payment(test)
    const notification = aNotification({ content: order.code, referenceCode: null })
    await deliver(test, notification)
    const event = await test.db
      .selectFrom('payment_event')
      .select('id')
      .where('provider_event_id', '=', String(notification.id))
      .executeTakeFirstOrThrow()
    expect(await settleEvent(test.deps, { eventId: event.id })).toBeUndefined()
    expect(await storedEvents(test, notification)).toMatchObject([{ status: 'applied', state: 'credited' }])
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('when ten transfers with one code arrive at once: one is credited, nine wait', async () => {
    const { player, order } = await payment(test)
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
    const paying = await payment(test)
    const { player, order } = paying
    const notification = aNotification({ content: order.code })
    const repair = await breakPayments()
    const answer = await deliver(test, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await outcome(test, paying, notification)).toMatchObject({ balance: 0, event: 'new' })
    expect(test.logged()).toContain('stored but not settled yet')
    // A repetition does not help it along, and does no harm.
    expect((await deliver(test, notification)).status).toBe(200)
    expect(await balanceOf(test, player)).toBe(0)
    await repair()
    const jobs = startBankInboxJobs(test.deps)
    try {
      await vi.waitFor(async () => expect(await balanceOf(test, player)).toBe(50_000), {
        timeout: 10_000,
        interval: 100,
      })
    } finally {
      await Promise.all(jobs.map((job) => job.stop()))
    }
    expect(await outcome(test, paying, notification)).toMatchObject({ order: 'paid', event: 'applied' })
  })

  it('is left to the request that brought it for a while', async () => {
    const { order } = await payment(test)
    const repair = await breakPayments()
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    await repair()
    const undecided = (graceSeconds: number) =>
      listUndecidedEvents(test.db, { afterId: '0', limit: 10, graceSeconds })
    expect([await undecided(3_600), (await undecided(0)).length]).toEqual([[], 1])
    await settleEvent(test.deps, { eventId: (await undecided(0))[0] as string })
  })

  it('is swept up by two processes at once without a second credit, and one bad event holds up no other', async () => {
    const [bad, ...good] = await Promise.all(Array.from({ length: 5 }, () => payment(test)))
    const repair = await breakPayments()
    const notifications = [bad!, ...good].map(({ order }) => aNotification({ content: order.code }))
    for (const notification of notifications) await deliver(test, notification)
    // Younger ones are left to the request that brought them.
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await repair()
    const repairBad = await breakPayments(`NEW.code = '${bad!.order.code}'`)
    await Promise.all([sweepEvents(test.deps, '0'), sweepEvents(test.deps, '0')])
    for (const { player } of good) expect(await balanceOf(test, player)).toBe(50_000)
    expect(await balanceOf(test, bad!.player)).toBe(0)
    await repairBad()
    await sweepEvents(test.deps, '0')
    expect(await balanceOf(test, bad!.player)).toBe(50_000)
    for (const notification of notifications) {
      expect(await storedEvents(test, notification)).toMatchObject([{ status: 'applied' }])
    }
  })
})

describe('a crediting', () => {
  it('is done once the notification has been answered', async () => {
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

  it('is done at the rate of the order, whatever the rate is when it arrives', async () => {
    await setSetting(test, 'recharge_rate', '3')
    const { player, order } = await payment(test, 10_000)
    await setSetting(test, 'recharge_rate', '1')
    await deliver(test, aNotification({ content: order.code, transferAmount: 10_000 }))
    expect(await balanceOf(test, player)).toBe(30_000)
    expect((await orderNow(test, player, order.code)).credited).toBe(30_000)
  })

  it('tells the player what came, and of money that waits that it has come', async () => {
    const shortPaid = await payment(test)
    const reference = `FT${Date.now()}4821`
    await deliver(
      test,
      aNotification({ content: shortPaid.order.code, transferAmount: 20_000, referenceCode: reference }),
    )
    const late = await payment(test)
    await ageOrder(test, late.order.code, 73)
    await deliver(test, aNotification({ content: late.order.code }))
    expect(await orderNow(test, shortPaid.player, shortPaid.order.code)).toMatchObject({
      status: 'paid_under',
      credited: 20_000,
      payment: { amount: 20_000, credited_at: expect.any(String), bank_reference: '••••4821' },
    })
    expect((await orderNow(test, late.player, late.order.code)).payment).toMatchObject({
      amount: 50_000,
      credited_at: null,
    })
  })

  it('takes at most 10 statements, from the notification to its answer', async () => {
    const { player, order } = await payment(test)
    const statements = await statementsOf(() => deliver(test, aNotification({ content: order.code })))
    expect(await balanceOf(test, player)).toBe(50_000)
    // Among them are the two that begin and end the transaction.
    expect(statements).toEqual(expect.arrayContaining(['begin', 'commit']))
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(10)
  })

  it('goes to the account number as shown, and is named in the ledger by its bank transaction', async () => {
    const { player, order } = await payment(test)
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
