import { describe, expect, test } from 'vitest'
import type { DailyCloseDetail } from '#contract/operator/daily-closes.ts'
import { printClose, printPull } from '#server/cli/reports.ts'
import type { PulledList } from '#server/modules/payment-providers/index.ts'
import { useOperators, usePollingApp } from '#tests/support/fixtures.ts'
import { aTransfer } from '#tests/support/polled-providers.ts'
import { ACB, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { asOwner } from '#tests/support/databases.ts'
import { payment } from '#tests/support/bank.ts'
import { aDay, transferOf } from '#tests/support/close-days.ts'
import { dayOf } from './daily-close.rules.ts'
import { readInTime, reconcileDay } from './daily-close.service.ts'

const polling = usePollingApp('sepay')
const { cashier, owner } = useOperators(polling.test, { cashier: 'cashier', owner: 'owner' })

const PATH = '/api/operator/daily-closes'

async function closeId(day: string, account = VIETCOMBANK.number): Promise<string> {
  const filter = encodeURIComponent(JSON.stringify({ day, account_number: account }))
  const { body } = await polling.test.call('GET', `${PATH}?filter=${filter}`, { token: cashier.token })
  return body[0].id as string
}

const get = (id: string) => polling.test.call('GET', `${PATH}/${id}`, { token: cashier.token })
const detailOf = async (day: string) => (await get(await closeId(day))).body as DailyCloseDetail

const readAnew = (id: string, { token } = cashier, key?: string) =>
  polling.test.call('POST', `${PATH}/${id}/read-anew`, {
    token,
    body: { reason: 'Ngân hàng vừa bổ sung' },
    ...(key === undefined ? {} : { key }),
  })

const kindsOf = ({ rows }: DailyCloseDetail) => rows.map(({ kind, found }) => [kind, found])

const transferIdOf = async (ref: string | null) =>
  (
    await polling.test.db
      .selectFrom('bank_transaction')
      .select('id')
      .where('bank_ref', '=', ref)
      .executeTakeFirstOrThrow()
  ).id

const dueOf = (day: string) =>
  polling.test.db
    .selectFrom('daily_close_due')
    .select('id')
    .where('day', '=', new Date(`${day}T00:00:00`))
    .execute()

const forgetReadings = () => asOwner(polling.test, 'DELETE FROM rate_limit')

describe('one close', () => {
  test('of a day on which everything agrees has the bank’s list and no rows, and names the other accounts', async () => {
    const { day, noon } = aDay()
    const { order } = await payment(polling.test)
    await transferOf(polling, noon, { memo: order.code })
    await transferOf(polling, noon, { direction: 'out', amount: 7_000 })
    await reconcileDay(polling.test.deps, day)
    const close = await detailOf(day)
    expect(close).toMatchObject({ day, status: 'green', latest_id: close.id, rows: [] })
    expect(close.statements).toEqual([
      {
        provider: 'sepay',
        given_by: null,
        has_picture: false,
        read_at: expect.any(String),
        in_count: 1,
        in_vnd: 50_000,
        out_count: 1,
        out_vnd: 7_000,
        unreadable: 0,
        has_rows: true,
      },
    ])
    expect(close.others).toEqual([
      { id: await closeId(day, ACB.number), account_number: ACB.number, status: 'green' },
    ])
  })

  test('names what the bank lists otherwise, what it does not list, and what we do not have', async () => {
    const { day, noon } = aDay()
    const kept = await transferOf(polling, noon, { amount: 11_000 })
    const gone = await transferOf(polling, noon, { amount: 22_000 })
    kept.transfer.amount = 12_000
    polling.bank.transfers.splice(polling.bank.transfers.indexOf(gone.transfer), 1)
    await reconcileDay(polling.test.deps, day)
    // As if a row of the list had not been stored.
    await asOwner(
      polling.test,
      `UPDATE bank_statement_day SET listed = listed || '[{"id": "777", "direction": "in", "amount": 9000}]'
        WHERE day = $1 AND account_number = $2`,
      [day, VIETCOMBANK.number],
    )
    const { rows } = await detailOf(day)
    expect(rows.find(({ kind }) => kind === 'other-amount')).toMatchObject({
      found: 1,
      first: [
        {
          bank_transfer_id: await transferIdOf(kept.transfer.ref),
          listed_id: String(kept.transfer.id),
          our_vnd: 11_000,
          bank_vnd: 12_000,
        },
      ],
    })
    expect(rows.find(({ kind }) => kind === 'not-listed')?.first).toMatchObject([
      {
        bank_transfer_id: await transferIdOf(gone.transfer.ref),
        listed_id: null,
        our_vnd: 22_000,
        bank_vnd: null,
      },
    ])
    expect(rows.find(({ kind }) => kind === 'not-ours')?.first).toMatchObject([
      { bank_transfer_id: null, payment_event_id: null, listed_id: '777', our_vnd: null, bank_vnd: 9_000 },
    ])
  })

  test('names credits that the ledger or the order does not bear out, with their order', async () => {
    const { day, noon } = aDay()
    const { order } = await payment(polling.test)
    const { transfer } = await transferOf(polling, noon, { memo: order.code })
    await reconcileDay(polling.test.deps, day)
    const id = await transferIdOf(transfer.ref)
    await asOwner(polling.test, 'UPDATE payment_order SET rate = 2 WHERE code = $1', [order.code])
    expect((await detailOf(day)).rows).toMatchObject([
      {
        kind: 'coins',
        found: 1,
        first: [{ bank_transfer_id: id, order_code: order.code, due_coins: 100_000, ledger_coins: 50_000 }],
      },
    ])
    await asOwner(polling.test, 'UPDATE payment_order SET rate = 1, credited = 1 WHERE code = $1', [
      order.code,
    ])
    expect(kindsOf(await detailOf(day))).toEqual([['orders', 1]])
    await asOwner(polling.test, 'UPDATE payment_order SET credited = 50000 WHERE code = $1', [order.code])
    await asOwner(
      polling.test,
      'SET session_replication_role = replica; DELETE FROM payment_event WHERE bank_ref = ' +
        `'${transfer.ref}'`,
    )
    expect(kindsOf(await detailOf(day))).toEqual([
      ['not-listed', 1],
      ['not-ours', 1],
      ['untold', 1],
    ])
  })

  test('shows the first twenty of many', async () => {
    const { day, noon } = aDay()
    await reconcileDay(polling.test.deps, day)
    await asOwner(
      polling.test,
      `INSERT INTO bank_transaction (account_number, direction, amount, booked_at, state)
         SELECT $1, 'in', 1000, $2, 'ignored' FROM generate_series(1, 23)`,
      [VIETCOMBANK.number, noon],
    )
    const { rows } = await detailOf(day)
    expect(rows.find(({ kind }) => kind === 'without-reason')).toMatchObject({ found: 23 })
    expect(rows.find(({ kind }) => kind === 'without-reason')?.first).toHaveLength(20)
  })

  test('that does not exist is not found', async () => {
    expect((await get('999999999')).status).toBe(404)
    expect((await readAnew('999999999')).status).toBe(404)
  })
})

describe('reading a day again', () => {
  test('takes in what the bank has added, closes the day again, and is in the audit trail', async () => {
    const { day, noon } = aDay()
    await reconcileDay(polling.test.deps, day)
    const id = await closeId(day)
    aTransfer(polling.bank, { account: VIETCOMBANK.number, bookedAt: noon, amount: 33_000 })
    const { status, body } = await readAnew(id)
    expect([status, body]).toEqual([200, { id: expect.any(String), status: 'green', found: 1, failed: 0 }])
    expect(body.id).not.toBe(id)
    expect((await get(id)).body).toMatchObject({ arrived_vnd: 0, latest_id: body.id })
    expect((await get(body.id)).body).toMatchObject({ arrived_vnd: 33_000, revision: 2, latest_id: body.id })
    const filter = encodeURIComponent('{"action":"daily-closes.read-anew"}')
    const trail = await polling.test.call('GET', `/api/operator/audit?filter=${filter}`, {
      token: owner.token,
    })
    expect(trail.body[0]).toMatchObject({
      subject: { type: 'daily_close', id },
      reason: 'Ngân hàng vừa bổ sung',
      details: { before: { revision: 1 }, after: { revision: 2, status: 'green' }, found: 1 },
    })
  })

  test('leaves the figures from before where a list cannot be read, and has the day closed again', async () => {
    await forgetReadings()
    const { day, noon } = aDay()
    await transferOf(polling, noon)
    await reconcileDay(polling.test.deps, day)
    polling.bank.breakPath('/userapi', 'error')
    const { body } = await readAnew(await closeId(day))
    polling.bank.breakPath('/userapi', null)
    expect(body).toMatchObject({ status: 'green', found: 0, failed: 2 })
    expect(await dueOf(day)).toHaveLength(1)
  })

  test('that takes longer than an operator waits is refused, goes on, and has the day closed again', async () => {
    const { day } = aDay()
    const answers: (() => void)[] = []
    const slow = {
      provider: 'sepay',
      pull: () =>
        new Promise<PulledList>((resolve) => answers.push(() => resolve({ rows: [], unreadable: [] }))),
    }
    const deps = { ...polling.test.deps, payments: { ...polling.test.deps.payments, lists: [slow] } }
    await expect(readInTime(deps, { day, patienceMs: 20 })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await dueOf(day)).toHaveLength(1)
    const read = () =>
      polling.test.db
        .selectFrom('bank_statement_day')
        .select('provider')
        .where('day', '=', new Date(`${day}T00:00:00`))
        .execute()
    expect(await read()).toEqual([])
    answers[0]?.()
    await expect.poll(read).toHaveLength(1)
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.()
    await expect.poll(read).toHaveLength(2)
  })

  test('reads the bank’s list once for a key', async () => {
    await forgetReadings()
    const { day } = aDay()
    await reconcileDay(polling.test.deps, day)
    const id = await closeId(day)
    polling.bank.calls.length = 0
    const first = await readAnew(id, cashier, 'one-reading')
    const asks = polling.bank.calls.length
    expect([first.status, asks > 0]).toEqual([200, true])
    expect((await readAnew(id, cashier, 'one-reading')).body).toEqual(first.body)
    expect(polling.bank.calls).toHaveLength(asks)
  })

  test('is refused where no provider has a list', async () => {
    await forgetReadings()
    const { day } = aDay()
    await reconcileDay(polling.test.deps, day)
    const { lists } = polling.test.deps.payments
    const kept = lists.splice(0)
    const answer = await readAnew(await closeId(day))
    lists.push(...kept)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Chưa nối')])
  })

  test('is paced', async () => {
    await forgetReadings()
    const { day } = aDay()
    await reconcileDay(polling.test.deps, day)
    const id = await closeId(day)
    const statuses = []
    for (let count = 0; count < 7; count += 1) statuses.push((await readAnew(id)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
  })
})

describe('the command line', () => {
  const polling = usePollingApp('sepay')

  const printed = async (work: (print: (line: string) => void) => Promise<number>) => {
    const lines: string[] = []
    const code = await work((line) => lines.push(line))
    return { code, lines }
  }

  test('closes a day with a row per account, and fails when one is red', async () => {
    const { day, noon } = aDay()
    await transferOf(polling, noon, { amount: 12_345 })
    const uncompared = await printed((print) => printClose(polling.test.deps, day, print))
    expect(uncompared.code).toBe(0)
    expect(uncompared.lines).toHaveLength(2)
    expect(uncompared.lines[0]).toMatch(
      / 0011000000001 +not-compared  bank no statement  arrived 12,345 \(1\)/,
    )
    aTransfer(polling.bank, { account: ACB.number, bookedAt: noon })
    polling.bank.strayRows.push('x')
    const red = await printed((print) => printPull(polling.test.deps, day, print))
    polling.bank.strayRows.length = 0
    expect(red.code).toBe(1)
    expect(red.lines[0]).toMatch(/ red +bank 12,345 \(1\)/)
    expect(red.lines[1]).toContain('bank-unreadable: rows of the bank’s list could not be read')
    expect(red.lines[2]).toMatch(/ 123456789 .*arrived 50,000 \(1\)  credited 0  review 50,000/)
  })

  test('fails when a list could not be read, however the day stands', async () => {
    const { day, noon } = aDay()
    await transferOf(polling, noon)
    expect((await printed((print) => printPull(polling.test.deps, day, print))).code).toBe(0)
    polling.bank.breakPath('/userapi', 'error')
    const { code, lines } = await printed((print) => printPull(polling.test.deps, day, print))
    polling.bank.breakPath('/userapi', null)
    expect([code, lines[0], lines.at(-1)]).toEqual([
      1,
      expect.stringContaining(' green         bank 50,000 (1)'),
      expect.stringContaining('2 lists could not be read'),
    ])
  })

  test('stores nothing of a day that is not over, and pulls what is new', async () => {
    const today = dayOf(new Date())
    expect((await printed((print) => printClose(polling.test.deps, today, print))).lines[0]).toMatch(
      /is not over/,
    )
    const kept = polling.test.db.selectFrom('daily_close').select('id').where('day', '>=', new Date())
    expect(await kept.execute()).toEqual([])
    await expect(printClose(polling.test.deps, '2999-01-01', () => {})).rejects.toThrow('has not come yet')
    aTransfer(polling.bank, { account: ACB.number })
    const pulled = await printed((print) => printPull(polling.test.deps, undefined, print))
    expect(pulled).toEqual({ code: 0, lines: ['1 transfers were not known, 0 lists could not be read'] })
  })
})
