import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { ACB, MOMO, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { aNotification, anOrder, deliver, payment, storedEvents } from '#tests/support/bank.ts'
import { vietnamTime } from '#tests/support/signed-notifications.ts'
import { asOwner } from '#tests/support/databases.ts'
import { setSetting } from '#tests/support/settings.ts'
import { usePollingApp } from '#tests/support/fixtures.ts'
import { aTransfer } from '#tests/support/polled-providers.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { aDay, transferOf } from '#tests/support/close-days.ts'
import { closeDay, lookAtDay, reconcileDay, reconcileDueDays } from './daily-close.service.ts'
import { runDueTasks } from './reconciliation.service.ts'

const polling = usePollingApp('sepay')

const deps = () => polling.test.deps

const closeOf = async (day: string, account = VIETCOMBANK.number) =>
  (await reconcileDay(deps(), day)).closes.find(({ accountNumber }) => accountNumber === account)

describe('a day', () => {
  it('with everything that happens on one is green, account by account', async () => {
    const { day, noon } = aDay()
    const exact = await payment(polling.test)
    await transferOf(polling, noon, { memo: exact.order.code })
    const less = await payment(polling.test)
    await transferOf(polling, noon, { memo: less.order.code, amount: 20_000 })
    await transferOf(polling, noon, { memo: exact.order.code })
    await transferOf(polling, noon, { memo: 'chuc mung nam moi', amount: 77_000 })
    await transferOf(polling, noon, { direction: 'out', amount: 30_000 })
    await transferOf(polling, noon, { account: ACB.number, amount: 15_000 })
    await setSetting(polling.test, 'recharge_rate', '3')
    const triple = await aPlayer(polling.test)
    const order = await anOrder(polling.test, triple, { amount: 10_000 })
    await setSetting(polling.test, 'recharge_rate', '1')
    await transferOf(polling, noon, { memo: order.code, amount: 10_000 })

    expect(await closeOf(day)).toMatchObject({
      status: 'green',
      differences: [],
      figures: {
        bank_in_count: 5,
        bank_in_vnd: 207_000,
        bank_out_vnd: 30_000,
        arrived_count: 5,
        arrived_vnd: 207_000,
        told_vnd: 207_000,
        left_vnd: 30_000,
        credited_vnd: 80_000,
        review_vnd: 127_000,
        due_coins: 100_000,
        ledger_coins: 100_000,
        order_coins: 100_000,
        direct_coins: 0,
      },
    })
    expect(await closeOf(day, ACB.number)).toMatchObject({ status: 'green', figures: { review_vnd: 15_000 } })
  })

  it('on which nothing came is green, and without the whole list of the day it is empty', async () => {
    const { day, noon } = aDay()
    expect((await closeDay(deps(), day)).map(({ status, figures }) => [status, figures.bank_in_vnd])).toEqual(
      [
        ['empty', null],
        ['empty', null],
      ],
    )
    expect(await closeOf(day)).toMatchObject({
      status: 'green',
      figures: { bank_in_vnd: 0, bank_in_count: 0 },
    })
    await asOwner(polling.test, 'UPDATE bank_statement_day SET read_at = $1 WHERE day = $2', [noon, day])
    expect((await closeDay(deps(), day)).map(({ status }) => status)).toEqual(['empty', 'empty'])
    await transferOf(polling, noon, { account: ACB.number, amount: 15_000 })
    const [first, second] = await closeDay(deps(), day)
    expect([first?.status, second?.status].toSorted()).toEqual(['empty', 'not-compared'])
  })

  it('takes in what the bank lists and no notification reported, and is green then', async () => {
    const { day, noon } = aDay()
    const { order } = await payment(polling.test)
    aTransfer(polling.bank, { account: VIETCOMBANK.number, memo: order.code, bookedAt: noon })
    expect(await closeOf(day)).toMatchObject({ status: 'green', figures: { credited_vnd: 50_000 } })
  })
})

describe('a day is red', () => {
  it('when a credit has no event', async () => {
    const { day, noon } = aDay()
    const { player } = await payment(polling.test)
    await asOwner(
      polling.test,
      `WITH posted AS (
         SELECT * FROM ledger_post('recharge', 9000000000000007, (SELECT wallet_account_id FROM users WHERE id = ${player.id}),
           50000, 'bank_transaction', (SELECT (max(id) + 1)::text FROM bank_transaction), NULL, NULL, NULL, NULL))
       INSERT INTO bank_transaction (id, account_number, direction, amount, booked_at, state, user_id, credited, transfer_id)
         OVERRIDING SYSTEM VALUE
         SELECT (SELECT max(id) + 1 FROM bank_transaction), $1, 'in', 50000, $2, 'credited', ${player.id}, 50000, transfer_id
           FROM posted`,
      [VIETCOMBANK.number, noon],
    )
    await asOwner(
      polling.test,
      `SELECT setval(pg_get_serial_sequence('bank_transaction', 'id'), (SELECT max(id) FROM bank_transaction))`,
    )
    expect((await closeOf(day))?.differences).toEqual(['bank-less', 'untold'])
  })

  it('when the bank has one more, of which only a part could be read', async () => {
    const { day, noon } = aDay()
    await transferOf(polling, noon)
    polling.bank.strayRows.push({ id: '1', transaction_date: 'hôm qua', account_number: VIETCOMBANK.number })
    const close = await closeOf(day)
    polling.bank.strayRows.length = 0
    expect(close?.differences).toEqual(['bank-unreadable'])
    // Another list that knows what was read of the first does not make it good.
    await asOwner(
      polling.test,
      `INSERT INTO bank_statement_day (account_number, day, provider, in_count, in_vnd, out_count, out_vnd, unreadable)
         SELECT account_number, day, 'casso', in_count, in_vnd, out_count, out_vnd, 0
           FROM bank_statement_day WHERE day = $1 AND account_number = $2`,
      [day, VIETCOMBANK.number],
    )
    const [again] = (await closeDay(deps(), day)).filter((one) => one.accountNumber === VIETCOMBANK.number)
    expect(again?.differences).toEqual(['bank-unreadable'])
  })

  it('when the bank has one more than we could store', async () => {
    const { day, noon } = aDay()
    await transferOf(polling, noon)
    await reconcileDay(deps(), day)
    await asOwner(
      polling.test,
      `UPDATE bank_statement_day SET in_count = in_count + 1, in_vnd = in_vnd + 9000 WHERE day = $1 AND account_number = $2`,
      [day, VIETCOMBANK.number],
    )
    const [close] = (await closeDay(deps(), day)).filter((one) => one.accountNumber === VIETCOMBANK.number)
    expect(close?.differences).toEqual(['bank-more'])
  })

  it('when the bank lists another amount than was reported', async () => {
    const { day, noon } = aDay()
    const { transfer } = await transferOf(polling, noon)
    transfer.amount = 49_000
    // The list contradicts the notification, which waits for a person as well.
    expect((await closeOf(day))?.differences).toEqual(['bank-amounts', 'open-events'])
  })

  it('when the ledger gave other coins than arrived', async () => {
    const { day, noon } = aDay()
    const { order } = await payment(polling.test)
    const { transfer } = await transferOf(polling, noon, { memo: order.code })
    await asOwner(polling.test, `UPDATE payment_order SET rate = 2 WHERE code = $1`, [order.code])
    expect((await closeOf(day))?.differences).toEqual(['coins'])
    await asOwner(
      polling.test,
      `UPDATE payment_order SET rate = 1, credited = credited + 1 WHERE code = $1`,
      [order.code],
    )
    expect((await closeOf(day))?.differences).toEqual(['orders'])
    await asOwner(polling.test, `UPDATE payment_order SET credited = credited - 1 WHERE code = $1`, [
      order.code,
    ])
    expect((await closeOf(day))?.differences).toEqual([])
    expect(transfer.amount).toBe(50_000)
  })

  it('while an event is not decided about, and while one that came too late has no other', async () => {
    const { day, noon } = aDay()
    const transfer = aTransfer(polling.bank, { account: VIETCOMBANK.number, bookedAt: noon })
    const notification = aNotification({
      id: transfer.id,
      transactionDate: vietnamTime(noon),
      referenceCode: transfer.ref,
    })
    polling.bank.silent.add(transfer.id)
    await deliver(polling.test, notification, { signedAt: new Date(Date.now() - 600_000) })
    expect((await closeOf(day))?.differences).toEqual(['open-events'])
    polling.bank.silent.clear()
    expect((await closeOf(day))?.differences).toEqual([])
    expect(await storedEvents(polling.test, notification)).toHaveLength(2)
  })
})

const revisions = (day: string) =>
  polling.test.db
    .selectFrom('daily_close')
    .select(['revision', 'status', 'is_latest', 'arrived_vnd'])
    .where('account_number', '=', VIETCOMBANK.number)
    .where('day', '=', new Date(`${day}T00:00:00`))
    .orderBy('revision')
    .execute()

describe('a close that stands', () => {
  it('is made again when something comes late, with its history, and not otherwise', async () => {
    const { day, noon } = aDay()
    await transferOf(polling, noon)
    await reconcileDueDays(deps())
    const first = [{ revision: 1, status: 'green', is_latest: true, arrived_vnd: '50000' }]
    expect(await revisions(day)).toEqual(first)
    await reconcileDay(deps(), day)
    expect(await revisions(day)).toEqual(first)
    await reconcileDueDays(deps())
    expect(await revisions(day)).toEqual(first)

    await transferOf(polling, noon, { amount: 9_000 })
    await reconcileDueDays(deps())
    expect(await revisions(day)).toEqual([
      { ...first[0], is_latest: false },
      { revision: 2, status: 'green', is_latest: true, arrived_vnd: '59000' },
    ])
  })

  it('waits for its statement when the list cannot be read, and is made again', async () => {
    const { day, noon } = aDay()
    await transferOf(polling, noon)
    polling.bank.breakPath('/userapi', 'error')
    await reconcileDueDays(deps())
    polling.bank.breakPath('/userapi', null)
    expect(await revisions(day)).toHaveLength(1)
    await reconcileDueDays(deps())
    expect((await lookAtDay(deps(), day))[0]?.figures.bank_in_count).not.toBeNull()
  })

  it('is not turned by what happens today', async () => {
    const due = () => polling.test.db.selectFrom('daily_close_due').select('id').execute()
    await reconcileDueDays(deps())
    const { order } = await payment(polling.test)
    await deliver(polling.test, aNotification({ content: order.code }))
    expect(await due()).toEqual([])
  })

  it('is made by one after the other', async () => {
    const { day } = aDay()
    const other = new pg.Client({ connectionString: polling.test.ownerUrl })
    await other.connect()
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('daily_close'))`)
    const closing = closeDay(deps(), day).then(() => 'closed')
    expect(await Promise.race([closing, sleep(200, 'waiting')])).toBe('waiting')
    await other.query('COMMIT')
    await other.end()
    expect(await closing).toBe('closed')
    expect(await revisions(day)).toHaveLength(1)
  })
})

describe('the task of the night', () => {
  it('is done by one process, pulls and closes the days before, and is due the next night', async () => {
    polling.bank.calls.length = 0
    await polling.test.db
      .updateTable('reconciliation_task')
      .set({ due_at: new Date(Date.now() - 1_000), claimed_until: null })
      .execute()
    await Promise.all([runDueTasks(deps()), runDueTasks(deps())])
    // Two accounts: what is new of each, and three days of each. An empty answer is asked for without its account too,
    // which may be a virtual one.
    expect(polling.bank.calls).toHaveLength(16)
    const tasks = await polling.test.db
      .selectFrom('reconciliation_task')
      .selectAll()
      .orderBy('name')
      .execute()
    expect(tasks.map(({ name, claimed_until }) => [name, claimed_until])).toEqual([
      ['nightly', null],
      ['pull', null],
    ])
    expect(tasks[0]!.due_at.toISOString()).toMatch(/T17:30:/)
    const wait = tasks[1]!.due_at.getTime() - Date.now()
    expect(wait).toBeGreaterThan(500_000)
    expect(wait).toBeLessThanOrEqual(600_000)
  })
})

describe('operators', () => {
  it('see the closes that stand, page by page, by day, account and status', async () => {
    const { token } = await anOperator(polling.test, 'cashier')
    const list = (query: Record<string, unknown>) =>
      polling.test.call(
        'GET',
        `/api/operator/daily-closes?${new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]),
        )}`,
        { token },
      )
    const all = await list({ range: [0, 1] })
    expect(all.status).toBe(200)
    expect(all.body).toHaveLength(2)
    expect(all.headers['content-range']).toMatch(/^daily-closes 0-1\/\d+$/)
    expect(all.body[0].day >= all.body[1].day).toBe(true)
    const { day } = all.body[0]
    const one = await list({ filter: { account_number: ACB.number, day } })
    expect(one.body).toMatchObject([{ account_number: ACB.number, day, status: 'green', differences: [] }])
    const red = await list({ filter: { status: 'red' } })
    expect(red.body.every((row: any) => row.status === 'red' && row.differences.length > 0)).toBe(true)
    expect(red.body.length).toBeGreaterThan(0)
    for (const status of ['not-compared', 'empty']) {
      const uncompared = await list({ filter: { status } })
      expect(new Set(uncompared.body.map((row: any) => row.bank_in_vnd)), status).toEqual(new Set([null]))
      expect(uncompared.body.every((row: any) => (row.arrived_count === 0) === (status === 'empty'))).toBe(
        true,
      )
    }
    const green = await list({ filter: { status: 'green' } })
    expect(green.body.every((row: any) => row.bank_in_vnd !== null)).toBe(true)
    const [url, headers] = ['/api/operator/daily-closes.csv', { authorization: `Bearer ${token}` }]
    const file = await polling.test.app.inject({ method: 'GET', url, headers })
    for (const words of ['Khớp', 'Không khớp', 'Chưa đối chiếu']) expect(file.body).toContain(`,${words},`)
    expect((await list({ filter: { from: day, to: '2000-01-01' } })).body).toEqual([])
    for (const filter of [{ day: 'x' }, { status: 1 }, { q: 'x' }])
      expect((await list({ filter })).status).toBe(422)
    expect((await list({ sort: ['status', 'ASC'] })).status).toBe(422)
  })

  it('have a row for the private wallet too, which no list knows', async () => {
    await setSetting(polling.test, 'bank_account_momo', JSON.stringify(MOMO))
    const { day } = aDay()
    const { closes } = await reconcileDay(deps(), day)
    await setSetting(polling.test, 'bank_account_momo', '')
    expect(closes.find(({ accountNumber }) => accountNumber === MOMO.number)?.figures.bank_in_vnd).toBeNull()
  })
})
