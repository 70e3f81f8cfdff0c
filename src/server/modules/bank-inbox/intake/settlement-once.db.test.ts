import { failedWork } from '#tests/support/poisoned-row.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import type { BankEvent } from '#server/modules/payment-providers/index.ts'
import { postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
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
import { oneWaits } from '#tests/support/locks.ts'
import { VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { setSetting } from '#tests/support/settings.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { startBankInboxJobs } from '../bank-inbox.jobs.ts'
import {
  insertBankTransaction,
  insertEvent,
  listUndecidedEvents,
  markEvent,
  takeTurnUnderReference,
} from './settlement.queries.ts'
import { settleEvent, sweepEvents } from './settlement.service.ts'

const portal = useTestApp()

beforeAll(async () => {
  await openAccounts(portal)
})

afterEach(() => expectReconciled(portal))

describe('a transfer is credited once', () => {
  test('to an order with a credit, whatever its status', async () => {
    const paying = await payment(portal)
    const { order, player } = paying
    await asOwner(portal, `UPDATE payment_order SET credited = 50000 WHERE code = '${order.code}'`)
    const notification = aNotification({ content: order.code })
    await deliver(portal, notification)
    expect(await balanceOf(portal, player)).toBe(0)
    expect(await storedEvents(portal, notification)).toMatchObject([
      { status: 'review', reason: 'order-already-paid' },
    ])
    await asOwner(portal, `UPDATE payment_order SET credited = 0 WHERE code = '${order.code}'`)
  })

  test('to an order that another transaction is crediting: it waits for that one', async () => {
    const { order, player } = await payment(portal)
    const notification = aNotification({ content: order.code })
    const { delivered } = await portal.db.transaction().execute(async (tx) => {
      await sql`UPDATE payment_order SET credited = 50000 WHERE code = ${order.code}`.execute(tx)
      const delivering = deliver(portal, notification)
      await oneWaits(portal.db)
      return { delivered: delivering }
    })
    await delivered
    expect(await balanceOf(portal, player)).toBe(0)
    expect(await storedEvents(portal, notification)).toMatchObject([
      { status: 'review', reason: 'order-already-paid' },
    ])
    await asOwner(portal, `UPDATE payment_order SET credited = 0 WHERE code = '${order.code}'`)
  })

  test('however often its notification comes, 50 at a time', async () => {
    const { player, order } = await payment(portal)
    const notification = aNotification({ content: order.code })
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(portal, notification)))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`))).toEqual(
      new Set(['200 {"success":true}']),
    )
    expect((await deliver(portal, notification)).status).toBe(200)
    expect(await balanceOf(portal, player)).toBe(50_000)
    expect(await storedEvents(portal, notification)).toHaveLength(1)
  })

  test('when two notifications report it, at once or one after the other', async () => {
    for (const isAtOnce of [true, false]) {
      const { player, order } = await payment(portal)
      const first = aNotification({ content: order.code })
      const second = { ...first, id: first.id + 1 }
      if (isAtOnce) {
        await Promise.all([deliver(portal, first), deliver(portal, second)])
      } else {
        await deliver(portal, first)
        await deliver(portal, second)
      }
      expect(await balanceOf(portal, player)).toBe(50_000)
      const events = [...(await storedEvents(portal, first)), ...(await storedEvents(portal, second))]
      expect(events.map((event) => event.status).sort()).toEqual(['applied', 'duplicate'])
      expect(events.map((event) => event.state)).toEqual(['credited', 'credited'])
    }
  })

  test('when one provider reports it with different texts, and a person decides about the second', async () => {
    const { player, order } = await payment(portal)
    const first = aNotification({ content: 'chuyen tien' })
    const second = { ...first, id: first.id + 1, content: order.code }
    await Promise.all([deliver(portal, first), deliver(portal, second)])
    const events = [...(await storedEvents(portal, first)), ...(await storedEvents(portal, second))]
    // Whoever comes first decides; the other one waits beside it.
    expect(events.map(({ reason }) => reason)).toContain('reference-conflict')
    expect(new Set(events.map((event) => event.state)).size).toBe(1)
    expect([0, 50_000]).toContain(await balanceOf(portal, player))
  })

  test('and so is that of another order under the same reference, which short ones are', async () => {
    const [first, other] = [await payment(portal), await payment(portal)]
    const earlier = aNotification({ content: first.order.code })
    const later = aNotification({ content: other.order.code, referenceCode: earlier.referenceCode })
    await deliver(portal, earlier)
    await deliver(portal, later)
    expect(await storedEvents(portal, later)).toMatchObject([{ status: 'applied', state: 'credited' }])
    expect([await balanceOf(portal, first.player), await balanceOf(portal, other.player)]).toEqual([
      50_000, 50_000,
    ])
  })

  test('when its event is taken up again by a late worker, with no reference that identifies it', async () => {
    const { player, order } = await payment(portal)
    const notification = aNotification({ content: order.code, referenceCode: null })
    await deliver(portal, notification)
    const event = await portal.db
      .selectFrom('payment_event')
      .select('id')
      .where('provider_event_id', '=', String(notification.id))
      .executeTakeFirstOrThrow()
    expect(await settleEvent(portal.deps, { eventId: event.id })).toBeUndefined()
    expect(await storedEvents(portal, notification)).toMatchObject([{ status: 'applied', state: 'credited' }])
    expect(await balanceOf(portal, player)).toBe(50_000)
  })

  test('when ten transfers with one code arrive at once: one is credited, nine wait', async () => {
    const { player, order } = await payment(portal)
    const notifications = Array.from({ length: 10 }, () => aNotification({ content: order.code }))
    await Promise.all(notifications.map((notification) => deliver(portal, notification)))
    expect(await balanceOf(portal, player)).toBe(50_000)
    const statuses = await Promise.all(
      notifications.map(async (notification) => (await storedEvents(portal, notification))[0]?.status),
    )
    expect(statuses.sort()).toEqual(['applied', ...Array.from({ length: 9 }, () => 'review')])
  })
})

describe('a crash between storing and crediting', () => {
  /** Until it is undone, payments of orders fail at their very end, when the ledger has been written already. */
  async function breakPayments(condition = 'true'): Promise<() => Promise<void>> {
    await asOwner(
      portal,
      `CREATE FUNCTION break_payment() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'broken for the test'; END $$`,
    )
    await asOwner(
      portal,
      `CREATE TRIGGER break_payment BEFORE UPDATE ON payment_order FOR EACH ROW WHEN (${condition})
         EXECUTE FUNCTION break_payment()`,
    )
    return () => asOwner(portal, 'DROP FUNCTION break_payment CASCADE')
  }

  test('loses nothing: the provider gets its success answer, and the sweeper credits it, once', async () => {
    const paying = await payment(portal)
    const { player, order } = paying
    const notification = aNotification({ content: order.code })
    const repair = await breakPayments()
    const answer = await deliver(portal, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await outcome(portal, paying, notification)).toMatchObject({ balance: 0, event: 'new' })
    expect(portal.logged()).toContain('stored but not settled yet')
    // A repetition does not help it along, and does no harm.
    expect((await deliver(portal, notification)).status).toBe(200)
    expect(await balanceOf(portal, player)).toBe(0)
    await repair()
    const jobs = startBankInboxJobs(portal.deps)
    try {
      await vi.waitFor(async () => expect(await balanceOf(portal, player)).toBe(50_000), {
        timeout: 10_000,
        interval: 100,
      })
    } finally {
      await Promise.all(jobs.map((job) => job.stop()))
    }
    expect(await outcome(portal, paying, notification)).toMatchObject({ order: 'paid', event: 'applied' })
  })

  test('is left to the request that brought it for a while', async () => {
    const { order } = await payment(portal)
    const repair = await breakPayments()
    const notification = aNotification({ content: order.code })
    await deliver(portal, notification)
    await repair()
    const undecided = (graceSeconds: number) =>
      listUndecidedEvents(portal.db, () => sql`false`, { limit: 10, graceSeconds })
    expect([await undecided(3_600), (await undecided(0)).length]).toEqual([[], 1])
    await settleEvent(portal.deps, { eventId: (await undecided(0))[0] as string })
  })

  test('is swept up by two processes at once without a second credit, and one bad event holds up no other', async () => {
    const [bad, ...good] = await Promise.all(Array.from({ length: 5 }, () => payment(portal)))
    const repair = await breakPayments()
    const notifications = [bad!, ...good].map(({ order }) => aNotification({ content: order.code }))
    for (const notification of notifications) await deliver(portal, notification)
    // Younger ones are left to the request that brought them.
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await repair()
    const repairBad = await breakPayments(`NEW.code = '${bad!.order.code}'`)
    await Promise.all([sweepEvents(portal.deps), sweepEvents(portal.deps)])
    for (const { player } of good) expect(await balanceOf(portal, player)).toBe(50_000)
    expect(await balanceOf(portal, bad!.player)).toBe(0)
    expect(await failedWork(portal)).toMatchObject([{ job: 'recharge sweeper' }])
    await repairBad()
    await sql`UPDATE failed_work SET retry_at = clock_timestamp() - interval '1 second'`.execute(portal.db)
    await sweepEvents(portal.deps)
    expect(await failedWork(portal)).toEqual([])
    expect(await balanceOf(portal, bad!.player)).toBe(50_000)
    for (const notification of notifications) {
      expect(await storedEvents(portal, notification)).toMatchObject([{ status: 'applied' }])
    }
  })
})

describe('a crediting', () => {
  test('is done once the notification has been answered', async () => {
    const paying = await payment(portal)
    const { player, order } = paying
    const notification = aNotification({ content: order.code })
    const answer = await deliver(portal, notification)
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(await outcome(portal, paying, notification)).toEqual({
      balance: 50_000,
      order: 'paid',
      credited: 50_000,
      event: 'applied',
      reason: null,
      transfer: 'credited',
    })
    const statement = await portal.call('GET', '/api/user/transactions', { token: player.token })
    expect(statement.body).toMatchObject({
      data: [{ type: 'recharge', amount: 50_000, balance_after: 50_000, reference: order.code }],
    })
    expect((await orderNow(portal, player, order.code)).qr_svg).toBe('')
  })

  test('is done at the rate of the order, whatever the rate is when it arrives', async () => {
    await setSetting(portal, 'recharge_rate', '3')
    const { player, order } = await payment(portal, 10_000)
    await setSetting(portal, 'recharge_rate', '1')
    await deliver(portal, aNotification({ content: order.code, transferAmount: 10_000 }))
    expect(await balanceOf(portal, player)).toBe(30_000)
    expect((await orderNow(portal, player, order.code)).credited).toBe(30_000)
  })

  test('notifies the player of what came, also of money that waits', async () => {
    const shortPaid = await payment(portal)
    const reference = `FT${Date.now()}4821`
    await deliver(
      portal,
      aNotification({ content: shortPaid.order.code, transferAmount: 20_000, referenceCode: reference }),
    )
    const late = await payment(portal)
    await ageOrder(portal, late.order.code, 73)
    await deliver(portal, aNotification({ content: late.order.code }))
    expect(await orderNow(portal, shortPaid.player, shortPaid.order.code)).toMatchObject({
      status: 'paid_under',
      credited: 20_000,
      payment: { amount: 20_000, credited_at: expect.any(String), bank_reference: '••••4821' },
    })
    expect((await orderNow(portal, late.player, late.order.code)).payment).toMatchObject({
      amount: 50_000,
      credited_at: null,
    })
  })

  test('takes at most 10 statements, from the notification to its answer', async () => {
    const { player, order } = await payment(portal)
    const statements = await statementsOf(() => deliver(portal, aNotification({ content: order.code })))
    expect(await balanceOf(portal, player)).toBe(50_000)
    // Among them are the two that begin and end the transaction.
    expect(statements).toEqual(expect.arrayContaining(['begin', 'commit']))
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(10)
  })

  test('goes to the account number as shown, and is named in the ledger by its bank transaction', async () => {
    const { player, order } = await payment(portal)
    const notification = aNotification({ content: order.code })
    await deliver(portal, notification)
    const row = await portal.db
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

describe('what happens while a notification is taken in', () => {
  /** Long enough for a notification to be stored and to come to what `work` has locked. */
  const ARRIVES_MS = 500

  /** Delivers a notification while `work` is done and not committed yet. */
  async function deliverDuring(
    notification: ReturnType<typeof aNotification>,
    work: (tx: Tx) => Promise<unknown>,
  ) {
    let delivered: ReturnType<typeof deliver> | undefined
    await inTransaction(portal.db, async (tx) => {
      await work(tx)
      delivered = deliver(portal, notification)
      await sleep(ARRIVES_MS)
    })
    expect((await delivered)?.status).toBe(200)
  }

  test('a transfer whose reference becomes known while it is credited is not credited', async () => {
    const { player, order } = await payment(portal)
    const notification = aNotification({ content: order.code })
    const event: BankEvent = {
      provider: 'casso',
      providerEventId: `c${notification.id}`,
      direction: 'in',
      amountVnd: 50_000,
      accountNumber: VIETCOMBANK.number,
      virtualAccount: null,
      bankRef: String(notification.referenceCode),
      memo: order.code,
      fullText: '',
      code: null,
      bookedAt: new Date(),
      payerAccount: null,
    }
    await deliverDuring(notification, async (tx) => {
      await takeTurnUnderReference(tx, event)
      const undecided = { status: 'review', reason: 'no-code' } as const
      const bankTransactionId = await insertBankTransaction(tx, { event, state: 'review', reason: 'no-code' })
      const stored = await insertEvent(tx, { event, signature: 'valid', raw: Buffer.from('{}') })
      await markEvent(tx, stored!.id, { ...undecided, bankTransactionId })
    })
    expect(await storedEvents(portal, notification)).toMatchObject([{ status: 'duplicate', state: 'review' }])
    expect(await balanceOf(portal, player)).toBe(0)
  })

  test('a debt that is made while a recharge arrives is paid from it', async () => {
    const { player, order } = await payment(portal)
    const { wallet_account_id: wallet } = await portal.db
      .selectFrom('users')
      .select('wallet_account_id')
      .where('id', '=', player.id)
      .executeTakeFirstOrThrow()
    const notification = aNotification({ content: order.code })
    await deliverDuring(notification, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        SELECT ledger_open_account('receivable', ${player.id}::bigint) AS id`.execute(tx)
      const debit = rows[0]?.id ?? ''
      const source = { type: 'ledger_transfer', id: '0' }
      await postTransfer(tx, { kind: 'debt', debit, credit: wallet, amount: 10_000, source })
    })
    expect(await storedEvents(portal, notification)).toMatchObject([{ status: 'applied', state: 'credited' }])
    // The 10,000 that were lent and the 50,000 that came, without the 10,000 that were owed.
    expect(await balanceOf(portal, player)).toBe(50_000)
  })
})

test('a notification is sealed without reading the others, however few PostgreSQL takes them for', async () => {
  const client = new Client({ connectionString: portal.ownerUrl })
  await client.connect()
  const readOf = async (table: string) => {
    const { rows } = await client.query(
      `SELECT seq_scan::integer, n_tup_ins::integer FROM pg_stat_xact_user_tables WHERE relname = $1`,
      [table],
    )
    return rows[0]
  }
  try {
    await client.query('VACUUM ANALYZE payment_event, payment_event_body')
    await client.query('BEGIN')
    await client.query(`
      INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number)
        VALUES ('sepay', 'sealed alone', 'valid', 'in', 1, '1')`)
    expect(await readOf('payment_event')).toEqual({ seq_scan: 0, n_tup_ins: 1 })
    await client.query(`
      INSERT INTO payment_event_body (event_id, raw, memo, full_text) SELECT max(id), '-', '-', '-' FROM payment_event`)
    expect(await readOf('payment_event_body')).toEqual({ seq_scan: 0, n_tup_ins: 1 })
    expect(await readOf('payment_event_seal')).toEqual({ seq_scan: 0, n_tup_ins: 2 })
  } finally {
    await client.end()
  }
})
