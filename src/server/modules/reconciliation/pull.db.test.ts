import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ACB, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { aNotification, balanceOf, deliver, payment } from '#tests/support/bank.ts'
import { vietnamTime, type TestTransfer } from '#tests/support/signed-notifications.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { usePollingApp } from '#tests/support/fixtures.ts'
import { setSetting } from '#tests/support/settings.ts'
import { aTransfer, type PollingApp } from '#tests/support/polled-providers.ts'
import { pullDay, pullLists } from './pull.service.ts'
import { dayBefore, dayOf } from './daily-close.rules.ts'

const both = usePollingApp('sepay', 'casso')
const sepay = usePollingApp('sepay')

beforeEach(async () => {
  for (const { bank, test } of [both, sepay]) {
    bank.transfers.length = 0
    bank.strayRows.length = 0
    bank.silent.clear()
    bank.calls.length = 0
    await test.db.updateTable('provider_list').set({ since_id: null }).execute()
  }
})
afterEach(async () => {
  await expectReconciled(both.test)
  await expectReconciled(sepay.test)
})

const eventsOf = (polling: PollingApp, ids: readonly number[]) =>
  polling.test.db
    .selectFrom('payment_event')
    .select(['provider', 'signature', 'status', 'amount', 'reason'])
    .where('provider_event_id', 'in', ids.map(String))
    .orderBy('id')
    .execute()

/** SePay's notification of the very transfer its list has. */
const noticeOf = ({ id, amount, account, memo, ref, bookedAt }: TestTransfer) =>
  aNotification({
    id,
    transferAmount: amount,
    accountNumber: account,
    content: memo,
    referenceCode: ref,
    transactionDate: vietnamTime(bookedAt),
  })

const alarms = (polling: PollingApp, event: string) =>
  polling.test
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))

describe('a transfer whose notification never came', () => {
  it('is found by pulling, credited once, and raises an alarm', async () => {
    const { player, order } = await payment(sepay.test)
    const transfer = aTransfer(sepay.bank, { account: VIETCOMBANK.number, memo: order.code })
    const before = alarms(sepay, 'reconciliation.found').length
    expect(await pullLists(sepay.test.deps)).toEqual({ found: 1, failed: 0 })
    expect(await balanceOf(sepay.test, player)).toBe(50_000)
    expect(alarms(sepay, 'reconciliation.found')).toHaveLength(before + 1)
    expect(alarms(sepay, 'reconciliation.found').at(-1)).toContain(`"providerEventIds":["${transfer.id}"]`)

    expect(await pullLists(sepay.test.deps)).toEqual({ found: 0, failed: 0 })
    expect(alarms(sepay, 'reconciliation.found')).toHaveLength(before + 1)
    expect(await eventsOf(sepay, [transfer.id])).toMatchObject([{ signature: 'pulled', status: 'applied' }])
    await deliver(sepay.test, noticeOf(transfer))
    expect(await eventsOf(sepay, [transfer.id])).toHaveLength(1)
    expect(await balanceOf(sepay.test, player)).toBe(50_000)
  })

  it('that may still be on its way is credited without an alarm', async () => {
    const { player, order } = await payment(sepay.test)
    aTransfer(sepay.bank, { account: VIETCOMBANK.number, memo: order.code, bookedAt: new Date() })
    const before = alarms(sepay, 'reconciliation.found').length
    expect((await pullLists(sepay.test.deps)).found).toBe(1)
    expect(await balanceOf(sepay.test, player)).toBe(50_000)
    expect(alarms(sepay, 'reconciliation.found')).toHaveLength(before)
  })

  it('that came too late to be believed is credited when the list has it', async () => {
    const { player, order } = await payment(sepay.test)
    const transfer = aTransfer(sepay.bank, { account: VIETCOMBANK.number, memo: order.code })
    const late = await deliver(sepay.test, noticeOf(transfer), { signedAt: new Date(Date.now() - 600_000) })
    expect(late.status).toBe(401)
    expect(await balanceOf(sepay.test, player)).toBe(0)
    await pullLists(sepay.test.deps)
    expect(await balanceOf(sepay.test, player)).toBe(50_000)
  })

  it('is listed by two providers and credited once', async () => {
    const { player, order } = await payment(both.test)
    const transfer = aTransfer(both.bank, { account: VIETCOMBANK.number, memo: order.code })
    await pullLists(both.test.deps)
    expect((await eventsOf(both, [transfer.id])).map(({ provider, status }) => [provider, status])).toEqual([
      ['sepay', 'applied'],
      ['casso', 'duplicate'],
    ])
    expect(await balanceOf(both.test, player)).toBe(50_000)
  })
})

describe('what is pulled', () => {
  it('is nothing twice: a notification and the list at the same moment are one credit', async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, () => payment(sepay.test)))
    const transfers = payments.map(({ order }) =>
      aTransfer(sepay.bank, { account: VIETCOMBANK.number, memo: order.code }),
    )
    await Promise.all([
      pullLists(sepay.test.deps),
      ...transfers.map((transfer) => deliver(sepay.test, noticeOf(transfer))),
      pullDay(sepay.test.deps, dayOf(new Date())),
    ])
    for (const { player } of payments) expect(await balanceOf(sepay.test, player)).toBe(50_000)
    expect(
      await eventsOf(
        sepay,
        transfers.map(({ id }) => id),
      ),
    ).toHaveLength(6)
  })

  it('is what came since the last time, on every account', async () => {
    const first = aTransfer(sepay.bank, { account: ACB.number, id: 7_000 })
    await pullLists(sepay.test.deps)
    const reading = await sepay.test.db
      .selectFrom('provider_list')
      .select('since_id')
      .where('account_number', '=', ACB.number)
      .executeTakeFirst()
    expect(reading?.since_id).toBe('7000')
    sepay.bank.silent.add(first.id)
    aTransfer(sepay.bank, { account: ACB.number, id: 6_999 })
    const next = aTransfer(sepay.bank, { account: ACB.number, id: 7_001 })
    await pullLists(sepay.test.deps)
    expect(await eventsOf(sepay, [6_999, 7_000, 7_001])).toHaveLength(2)
    expect(await eventsOf(sepay, [next.id])).toMatchObject([{ status: 'review', reason: 'no-code' }])
  })

  it('is a list to its end, however many answers that takes', async () => {
    const at = Math.floor(Date.now() / 1_000) * 1_000
    const transfers = Array.from({ length: 620 }, (_, index) =>
      aTransfer(sepay.bank, {
        account: VIETCOMBANK.number,
        direction: 'out',
        bookedAt: new Date(at - index * 400_000),
      }),
    )
    const { lists } = sepay.test.deps.payments
    const pulled = await lists[0]!.pull({
      accountNumber: VIETCOMBANK.number,
      from: new Date(at - 3 * 86_400_000),
      to: new Date(at),
    })
    expect(new Set(pulled.rows.map(({ event }) => event.providerEventId))).toEqual(
      new Set(transfers.map(({ id }) => String(id))),
    )
    expect(sepay.bank.calls).toHaveLength(3)
  })

  it('of Casso is page after page, and only of the account and the time requested', async () => {
    const before = new Date(Date.now() - 26 * 3_600_000)
    const listed = Array.from({ length: 130 }, () =>
      aTransfer(both.bank, { account: ACB.number, direction: 'out' }),
    )
    aTransfer(both.bank, { account: VIETCOMBANK.number })
    aTransfer(both.bank, { account: ACB.number, bookedAt: new Date(before.getTime() - 1_000) })
    const casso = both.test.deps.payments.lists.find(({ provider }) => provider === 'casso')
    const pulled = await casso!.pull({ accountNumber: ACB.number, from: before, to: new Date() })
    expect(pulled.rows).toHaveLength(listed.length)
    expect(pulled.rows[0]?.event).toMatchObject({ provider: 'casso', direction: 'out', amountVnd: 50_000 })
    expect(both.bank.calls).toEqual(['GET /v2/transactions', 'GET /v2/transactions'])
  })

  it('stores what went out, without an alarm', async () => {
    const out = aTransfer(sepay.bank, { account: ACB.number, direction: 'out', amount: 70_000 })
    expect((await pullLists(sepay.test.deps)).found).toBe(0)
    expect(await eventsOf(sepay, [out.id])).toMatchObject([{ status: 'ignored', reason: 'outgoing' }])
  })
})

describe('a list of an account that is known by a virtual number', () => {
  const VIRTUAL = 'VCB0011ABC004'

  it('is read for that number', async () => {
    await setSetting(
      sepay.test,
      'bank_account_vietcombank',
      JSON.stringify({ ...VIETCOMBANK, number: VIRTUAL }),
    )
    const { player, order } = await payment(sepay.test)
    aTransfer(sepay.bank, { account: VIETCOMBANK.number, virtualAccount: VIRTUAL, memo: order.code })
    aTransfer(sepay.bank, { account: VIETCOMBANK.number, virtualAccount: 'VCB0011ABC005', memo: order.code })
    expect((await pullLists(sepay.test.deps)).found).toBe(1)
    expect(await balanceOf(sepay.test, player)).toBe(50_000)
    await setSetting(sepay.test, 'bank_account_vietcombank', JSON.stringify(VIETCOMBANK))
  })

  it('tells what changed under a known id, once', async () => {
    const transfer = aTransfer(sepay.bank, { account: VIETCOMBANK.number })
    await pullLists(sepay.test.deps)
    transfer.amount += 1
    await sepay.test.db.updateTable('provider_list').set({ since_id: null }).execute()
    for (const _ of [1, 2]) await pullDay(sepay.test.deps, dayOf(transfer.bookedAt))
    const changed = await sepay.test.db
      .selectFrom('payment_event')
      .select(['status', 'reason', 'amount'])
      .where('provider_event_id', 'like', `${transfer.id}#%`)
      .execute()
    expect(changed).toEqual([{ status: 'review', reason: 'changed-notice', amount: '50001' }])
  })
})

describe('a provider that does not answer as it should', () => {
  it.each([
    ['a broken server', 'error', 'refused'],
    ['a page instead of data', 'garbage', 'unreadable'],
    ['a plea to stay away for a minute', 'busy-long', 'busy'],
    ['nothing at all', 'lost-after', 'unreachable'],
  ] as const)('%s is noted, credits nothing, and does not stop the other', async (_what, fault, kind) => {
    const { player, order } = await payment(both.test)
    const transfer = aTransfer(both.bank, { account: VIETCOMBANK.number, memo: order.code })
    both.bank.breakPath('/userapi', fault)
    const report = await pullLists(both.test.deps)
    both.bank.breakPath('/userapi', null)
    expect(report).toEqual({ found: 1, failed: 2 })
    expect((await eventsOf(both, [transfer.id])).map(({ provider }) => provider)).toEqual(['casso'])
    expect(await balanceOf(both.test, player)).toBe(50_000)
    expect(alarms(both, 'reconciliation.failed').at(-1)).toContain(`"fault":"${kind}"`)
  })

  it('that asks to wait a moment is read again', async () => {
    const transfer = aTransfer(sepay.bank, { account: VIETCOMBANK.number })
    sepay.bank.failNext('busy', 2)
    expect((await pullLists(sepay.test.deps)).failed).toBe(0)
    expect(await eventsOf(sepay, [transfer.id])).toHaveLength(1)
  })

  it('loses one row that nobody can read, names it, and no other', async () => {
    const transfer = aTransfer(sepay.bank, { account: VIETCOMBANK.number })
    sepay.bank.strayRows.push({ id: '12', amount_in: '5e3', account_number: VIETCOMBANK.number }, null, 'x')
    const report = await pullDay(sepay.test.deps, dayOf(transfer.bookedAt))
    expect(report).toEqual({ found: 1, failed: 0 })
    const ofAccount = alarms(sepay, 'reconciliation.unreadable').filter((line) =>
      line.includes(VIETCOMBANK.number),
    )
    const alarm = ofAccount.at(-1)
    expect(alarm).toContain('"count":3')
    expect(await eventsOf(sepay, [12])).toEqual([])
    const unreadable = () =>
      sepay.test.db
        .selectFrom('payment_event')
        .select(['status', 'reason', 'signature'])
        .where('provider_event_id', 'like', 'unreadable:%')
        .execute()
    const waits = { status: 'review', reason: 'unreadable-notice', signature: 'pulled' }
    expect(await unreadable()).toEqual([waits, waits, waits])
    // However often the list is read.
    await pullDay(sepay.test.deps, dayOf(transfer.bookedAt))
    expect(await unreadable()).toHaveLength(3)
  })

  it('that lists nothing of a day is read as empty', async () => {
    const day = dayBefore(new Date(Date.now() - 10 * 86_400_000))
    await pullDay(sepay.test.deps, day)
    const rows = await sepay.test.db.selectFrom('bank_statement_day').selectAll().execute()
    expect(rows.filter(({ in_count }) => in_count === '0').length).toBeGreaterThanOrEqual(2)
  })
})
