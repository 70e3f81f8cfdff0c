import { afterAll, afterEach, beforeAll, describe, expect, test as it } from 'vitest'
import { buildApp } from '#server/app/app.ts'
import { type TestApp, useTestApp } from '#tests/support/app.ts'
import {
  MOMO,
  NEW_AND_OLD,
  NEW_AND_OLD_KEYS,
  PAYMENT_KEYS,
  paymentsWith,
} from '#tests/support/payment-keys.ts'
import {
  sign,
  notificationOf,
  SENDERS,
  fieldsOf,
  type Fields,
  type Sender,
  aTransfer,
  storedCounts,
  storedEventsOf,
  post,
  postFields,
  postNotification,
} from '#tests/support/signed-notifications.ts'
import { aPlayer } from '#tests/support/players.ts'
import { anOrder, balanceOf, openAccounts, payment } from '#tests/support/bank.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { setSetting } from '#tests/support/settings.ts'

const test = useTestApp()
/** The same portal with other keys for its webhooks. */
let changing: TestApp
let closed: TestApp

beforeAll(async () => {
  await openAccounts(test)
  await setSetting(test, 'bank_account_momo', JSON.stringify(MOMO))
  const withKeys = async (environment: Record<string, string>) => ({
    ...test,
    app: await buildApp({ ...test.deps, payments: paymentsWith(environment) }),
  })
  changing = await withKeys(NEW_AND_OLD_KEYS)
  closed = await withKeys({})
})
afterEach(() => expectReconciled(test))
afterAll(async () => {
  await changing.app.close()
  await closed.app.close()
})

const TAKEN = { status: 200, text: '{"success":true}' }
const NO_JSON = [400, 'BAD_REQUEST'] as const
/** What each provider expects as the answer, and what it gets for a body that is no JSON. */
const EXPECTED: Record<
  Sender,
  { success: typeof TAKEN; noJson: readonly [status: number, code: string] | null }
> = {
  // Its signature is over the bytes, whatever is in them.
  sepay: { success: TAKEN, noJson: [401, 'UNAUTHENTICATED'] },
  casso: { success: TAKEN, noJson: NO_JSON },
  // A token opens to whatever comes with it, which is then stored.
  'casso-token': { success: TAKEN, noJson: null },
  payos: { success: TAKEN, noJson: NO_JSON },
  momo: { success: { status: 204, text: '' }, noJson: NO_JSON },
}

describe.each(SENDERS)('the webhook of %s', (provider) => {
  const { success, noJson } = EXPECTED[provider]
  const channel = provider === 'momo' ? 1 : 2

  it('opens to the new secret and to the old one, while it is being changed, and to no other', async () => {
    const player = await aPlayer(test)
    const answers = []
    for (const secret of ['the-new-secret', 'the-old-secret', 'an-older-secret']) {
      const { code } = await anOrder(test, player, { channel })
      const transfer = aTransfer({ memo: code })
      answers.push(await post(changing, notificationOf({ provider, transfer, at: new Date(), secret })))
    }
    expect(answers).toEqual([success, success, expect.objectContaining({ status: 401 })])
    expect(await balanceOf(test, player)).toBe(100_000)
  })

  it.runIf(noJson !== null)('takes in nothing whose signature cannot be found', async () => {
    const notification = notificationOf({ provider, transfer: aTransfer(), at: new Date() })
    const before = await storedCounts(test)
    const answer = await post(test, { ...notification, body: notification.body.slice(0, -1) })
    const [status, code] = noJson!
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { code }])
    expect(await storedCounts(test)).toEqual(before)
  })

  it('is shut while nothing is configured', async () => {
    const before = await storedCounts(test)
    const answer = await post(closed, notificationOf({ provider, transfer: aTransfer(), at: new Date() }))
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([503, { code: 'DISABLED' }])
    expect(await storedCounts(test)).toEqual(before)
  })
})

describe('Casso', () => {
  it('with one mode configured refuses the other', async () => {
    const modes: [Sender, Record<string, string>][] = [
      ['casso', { CASSO_WEBHOOK_KEY: NEW_AND_OLD }],
      ['casso-token', { CASSO_SECURE_TOKEN: NEW_AND_OLD }],
    ]
    for (const [open, environment] of modes) {
      const app = await buildApp({ ...test.deps, payments: paymentsWith(environment) })
      for (const provider of ['casso', 'casso-token'] as const) {
        const sent = { provider, transfer: aTransfer(), at: new Date(), secret: 'the-new-secret' }
        expect((await post({ app }, notificationOf(sent))).status).toBe(provider === open ? 200 : 401)
      }
      await app.close()
    }
  })

  it('may report several transfers at once, and one that cannot be read does not stop the others', async () => {
    const { player, order } = await payment(test)
    const second = await anOrder(test, player)
    const reported = [order, second].map(({ code }) => aTransfer({ memo: code }))
    const rows = reported.map((transfer) => (fieldsOf('casso-token', transfer).data as Fields[])[0]!)
    const bad = { ...rows[0], id: 999_999_999, amount: 'năm mươi nghìn', description: `nap ${order.code}` }
    const list = { error: 0, data: [rows[0], bad, 'no row', rows[1]] }
    for (const _ of [1, 2])
      expect(await postFields(test, 'casso-token', list)).toEqual(EXPECTED.casso.success)
    expect(await balanceOf(test, player)).toBe(100_000)
    const unread = await test.db
      .selectFrom('payment_event as event')
      .innerJoin('payment_event_body as body', 'body.event_id', 'event.id')
      .select(['event.status', 'event.reason', 'event.amount', 'event.booked_at', 'body.memo', 'body.raw'])
      .where('event.provider_event_id', 'like', 'unreadable:%')
      .orderBy('event.id')
      .execute()
    expect(unread).toMatchObject([
      { status: 'review', reason: 'unreadable-notice', amount: '0', memo: `nap ${order.code}` },
      { status: 'review', reason: 'unreadable-notice', amount: '0', memo: '', booked_at: null },
      { status: 'duplicate', reason: 'repeated', amount: '0', memo: `nap ${order.code}` },
      { status: 'duplicate', reason: 'repeated', amount: '0', memo: '', booked_at: null },
    ])
    // What an operator has to look at is the row alone.
    expect(JSON.parse(unread[0]!.raw.toString())).toEqual(bad)
    expect(test.logged()).not.toContain('came again with another body')
  })

  it('signed too long ago is stored for an operator, and credited when it is signed again', async () => {
    const { player, order } = await payment(test)
    const transfer = aTransfer({ memo: order.code })
    const late = notificationOf({ provider: 'casso', transfer, at: new Date(Date.now() - 6 * 60_000) })
    expect((await post(test, late)).status).toBe(401)
    expect(await balanceOf(test, player)).toBe(0)
    const { status, signature } = await test.db
      .selectFrom('payment_event')
      .select(['status', 'signature'])
      .where('provider_event_id', '=', `${transfer.id}#stale`)
      .executeTakeFirstOrThrow()
    expect([status, signature]).toEqual(['stale', 'stale'])
    expect(await postNotification(test, 'casso', transfer)).toEqual(EXPECTED.casso.success)
    expect(await balanceOf(test, player)).toBe(50_000)
  })
})

describe('payOS', () => {
  it('may call its webhook with an order nobody made', async () => {
    const sample = { id: 123, amount: 3_000, account: '12345678', memo: 'VQRIO123', ref: 'TF230204212323' }
    const probe = aTransfer(sample)
    expect(await postNotification(test, 'payos', probe)).toEqual(EXPECTED.payos.success)
    expect(await storedEventsOf(test, probe)).toMatchObject([
      { status: 'ignored', reason: 'foreign-account' },
    ])
  })

  it('credits nothing for a payment that failed, whatever stands around it, and credits it when it succeeds', async () => {
    const { player, order } = await payment(test)
    const transfer = aTransfer({ memo: order.code })
    const fields = fieldsOf('payos', transfer)
    const failed = { ...fields, data: { ...(fields.data as Fields), code: '01' } }
    expect(await postFields(test, 'payos', failed)).toEqual(EXPECTED.payos.success)
    expect(await storedEventsOf(test, transfer)).toEqual([])
    expect(await balanceOf(test, player)).toBe(0)
    expect(await postNotification(test, 'payos', transfer)).toEqual(EXPECTED.payos.success)
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('is not believed with another amount than it signed', async () => {
    const { player, order } = await payment(test)
    const { url, headers, body } = notificationOf({
      provider: 'payos',
      transfer: aTransfer({ memo: order.code }),
      at: new Date(),
    })
    const altered = body.replace('"amount":50000', '"amount":60000')
    expect((await post(test, { url, headers, body: altered })).status).toBe(401)
    expect(await balanceOf(test, player)).toBe(0)
  })
})

describe('MoMo', () => {
  const momoOrder = async () => {
    const player = await aPlayer(test)
    return { player, order: await anOrder(test, player, { channel: 1 }) }
  }
  /** MoMo's notification about an order, with its result and other special fields. */
  const result = (transfer: ReturnType<typeof aTransfer>, change: Fields = {}) => ({
    ...fieldsOf('momo', transfer),
    ...change,
  })

  it('of a payment is answered with an empty body, and it is credited once', async () => {
    const { player, order } = await momoOrder()
    const transfer = aTransfer({ memo: order.code })
    for (const _ of [1, 2, 3])
      expect(await postNotification(test, 'momo', transfer)).toEqual(EXPECTED.momo.success)
    expect(await storedEventsOf(test, transfer)).toMatchObject([
      { provider: 'momo', status: 'applied', state: 'credited' },
    ])
    const stored = await test.db
      .selectFrom('bank_transaction')
      .select(['account_number', 'bank_ref'])
      .where('bank_ref', '=', String(transfer.id))
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ account_number: PAYMENT_KEYS.momo.partnerCode, bank_ref: String(transfer.id) })
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('is believed however late it comes, by its own time', async () => {
    const { player, order } = await momoOrder()
    const transfer = aTransfer({ memo: order.code, bookedAt: new Date(Date.now() - 20 * 60_000) })
    expect(await postNotification(test, 'momo', transfer)).toEqual(EXPECTED.momo.success)
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('credits nothing while a payment waits, fails or has a result nobody knows, and credits it when it succeeds', async () => {
    const { player, order } = await momoOrder()
    const transfer = aTransfer({ memo: order.code })
    const results = [9000, 1000, 7000, 7002, 1006, 12_345]
    for (const resultCode of [...results, ...results])
      expect(await postFields(test, 'momo', result(transfer, { resultCode }))).toEqual(EXPECTED.momo.success)
    expect(await balanceOf(test, player)).toBe(0)
    const stored = await test.db
      .selectFrom('payment_event')
      .select(['status', 'reason', 'bank_transaction_id'])
      .where('provider_event_id', 'like', `${order.code}/%`)
      .orderBy('id')
      .execute()
    const told = (status: string, reason: string) => ({ status, reason, bank_transaction_id: null })
    expect(stored).toEqual([
      ...['authorised', 'pending', 'pending', 'pending', 'payment-failed', 'unknown-result'].map((reason) =>
        told('ignored', reason),
      ),
      ...results.map(() => told('duplicate', 'repeated')),
    ])
    expect(await postNotification(test, 'momo', transfer)).toEqual(EXPECTED.momo.success)
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it.each<[string, Fields, string, string]>([
    ['of less than the order’s amount', { amount: 20_000 }, 'wrong-amount', 'review'],
    ['of more than the order’s amount', { amount: 70_000 }, 'wrong-amount', 'review'],
    ['for an order nobody has', { orderId: 'TCXABCDEFGHJD' }, 'unknown-code', 'pending'],
    ['for something that is no order of ours', { orderId: 'MM1540456472575' }, 'unknown-code', 'pending'],
  ])('leaves a payment %s to a person', async (_what, change, reason, status) => {
    const { player, order } = await momoOrder()
    const transfer = aTransfer({ memo: order.code })
    expect(await postFields(test, 'momo', result(transfer, change))).toEqual(EXPECTED.momo.success)
    expect(await storedEventsOf(test, transfer)).toMatchObject([
      { status: 'review', reason, state: 'review' },
    ])
    const now = await test.call('GET', `/api/recharge/orders/${order.code}`, { token: player.token })
    expect(now.body).toMatchObject({ status, credited: 0 })
    expect(await balanceOf(test, player)).toBe(0)
  })

  it('leaves a payment for a bank’s order to a person', async () => {
    const { player, order } = await payment(test)
    const transfer = aTransfer({ memo: order.code })
    await postNotification(test, 'momo', transfer)
    expect(await storedEventsOf(test, transfer)).toMatchObject([
      { status: 'review', reason: 'wrong-account' },
    ])
    expect(await balanceOf(test, player)).toBe(0)
  })

  it('does not credit one transaction for two orders', async () => {
    const { player, order } = await momoOrder()
    const other = await anOrder(test, player, { channel: 1 })
    const transfer = aTransfer({ memo: order.code })
    await postNotification(test, 'momo', transfer)
    await postNotification(test, 'momo', { ...transfer, memo: other.code })
    expect(await balanceOf(test, player)).toBe(50_000)
    expect(test.logged()).toContain('came again with another body')
  })

  it('signed for another partner is refused', async () => {
    const { player, order } = await momoOrder()
    const fields = result(aTransfer({ memo: order.code }), { partnerCode: 'SOMEBODYELSE' })
    expect((await postFields(test, 'momo', fields)).status).toBe(401)
    expect(await balanceOf(test, player)).toBe(0)
  })

  it('signs numbers as it writes them', async () => {
    const { player, order } = await momoOrder()
    const fields = fieldsOf('momo', aTransfer({ memo: order.code }))
    // The signature is made over the text of the amount; in the body it then stands as a number.
    const { url, headers, body } = sign({
      provider: 'momo',
      fields: { ...fields, amount: '5.0E4' },
      at: new Date(),
    })
    expect(await post(test, { url, headers, body: body.replace('"5.0E4"', '5.0E4') })).toEqual(
      EXPECTED.momo.success,
    )
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('has a bank account of its own: what a bank reports of it is credited like any transfer, or waits', async () => {
    const { player, order } = await momoOrder()
    for (const field of ['0006971025', `0118${MOMO.number}`, `0515${MOMO.reference}`, `0813${order.code}`])
      expect(order.qr).toContain(field)
    await postNotification(test, 'sepay', aTransfer({ memo: order.code, account: MOMO.number }))
    expect(await balanceOf(test, player)).toBe(50_000)
    const unknown = aTransfer({ memo: '311447-0901234567-nap tien', account: MOMO.number })
    await postNotification(test, 'sepay', unknown)
    expect(await storedEventsOf(test, unknown)).toMatchObject([
      { status: 'review', reason: 'no-code', state: 'review' },
    ])
  })
})
