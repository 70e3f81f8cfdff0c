import { beforeAll, afterEach, describe, expect, test } from 'vitest'
import {
  aNotification,
  balanceOf,
  deliver,
  orderNow,
  payment,
  signatureOf,
  storedEvents,
} from '#tests/support/bank.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { ACB, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { anOrder } from '#tests/support/bank.ts'
import { aClaim } from '#tests/support/uploads.ts'
import { setSetting } from '#tests/support/settings.ts'
import {
  aTransfer,
  fieldsOf,
  postFields,
  postNotification,
  storedEventsOf,
} from '#tests/support/signed-notifications.ts'

const desk = useCashDesk()
afterEach(() => expectReconciled(desk.portal))

type Listed = { id: string; status: string; reason: string | null; amount: number; is_open: boolean }

async function listed(filter: Record<string, unknown>): Promise<Listed[]> {
  const { status, body } = await desk.portal.call(
    'GET',
    `/api/operator/payment-events?filter=${encodeURIComponent(JSON.stringify(filter))}`,
    { token: desk.cashier.token },
  )
  expect(status).toBe(200)
  return body as Listed[]
}

const found = async (q: string) => (await listed({ q })).map(({ id }) => id)

async function send(raw: Buffer, contentType: string) {
  return desk.portal.app.inject({
    method: 'POST',
    url: '/api/webhooks/sepay',
    headers: { 'content-type': contentType, ...signatureOf(raw) },
    payload: raw,
  })
}

describe('an account with virtual ones on it', () => {
  const VIRTUAL = 'VQRQ0001234'
  const MAIN = '9990000000001'

  beforeAll(async () => {
    await setSetting(desk.portal, 'bank_account_acb', JSON.stringify({ ...ACB, number: VIRTUAL }))
  })

  test.each(['sepay', 'casso', 'casso-token', 'payos'] as const)(
    'is that of an order whose QR shows a virtual number, told by %s beside the main one',
    async (provider) => {
      const { player } = await payment(desk.portal)
      const { code } = await anOrder(desk.portal, player, { channel: 3 })
      const transfer = aTransfer({ memo: code, account: MAIN, virtualAccount: VIRTUAL })
      expect((await postNotification(desk.portal, provider, transfer)).status).toBe(200)
      expect(await balanceOf(desk.portal, player)).toBe(50_000)
      expect(await found(MAIN)).toEqual(await found(VIRTUAL))
      const stored = await desk.portal.db
        .selectFrom('bank_transaction')
        .select('account_number')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      expect(stored).toEqual({ account_number: VIRTUAL })
    },
  )

  test('of nobody’s still waits in the inbox when the memo has the code of an order', async () => {
    const { player, order } = await payment(desk.portal)
    const transfer = aTransfer({ memo: order.code, account: MAIN })
    await postNotification(desk.portal, 'sepay', transfer)
    expect(await storedEventsOf(desk.portal, transfer)).toMatchObject([
      { status: 'review', reason: 'foreign-account', state: 'review' },
    ])
    expect(await balanceOf(desk.portal, player)).toBe(0)
    expect((await desk.list({ q: order.code })).answer.body).toMatchObject([
      { reason_text: 'Tài khoản nhận không phải tài khoản của cổng' },
    ])
  })
})

describe('another id of the same provider under one short reference', () => {
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const REF = '0457'

  test('is another transfer at another time: a second order is credited, a second payment waits', async () => {
    const [first, second] = [await payment(desk.portal), await payment(desk.portal)]
    const earlier = aTransfer({ memo: first.order.code, ref: REF, bookedAt: at(12) })
    const again = aTransfer({ memo: first.order.code, ref: REF, bookedAt: at(8) })
    const other = aTransfer({ memo: second.order.code, ref: REF, bookedAt: at(4) })
    const mangled = aTransfer({ memo: 'TCX7K2QF9XAM', ref: REF, bookedAt: at(2) })
    for (const transfer of [earlier, again, other, mangled])
      await postNotification(desk.portal, 'sepay', transfer)
    const outcomes = await Promise.all(
      [earlier, again, other, mangled].map(
        async (transfer) => (await storedEventsOf(desk.portal, transfer))[0],
      ),
    )
    expect(outcomes).toMatchObject([
      { status: 'applied', state: 'credited' },
      { status: 'review', reason: 'order-already-paid', state: 'review' },
      { status: 'applied', state: 'credited' },
      { status: 'review', reason: 'no-code', state: 'review' },
    ])
    expect(new Set(outcomes.map((one) => one?.bankTransactionId)).size).toBe(4)
    expect(await balanceOf(desk.portal, first.player)).toBe(50_000)
    expect(await balanceOf(desk.portal, second.player)).toBe(50_000)
    expect(await found(REF)).toHaveLength(4)
  })

  test('is left to a person when hardly anything tells it apart', async () => {
    const { player, order } = await payment(desk.portal)
    const first = aTransfer({ memo: order.code, ref: '0458', bookedAt: at(2) })
    const near = { ...first, id: first.id + 1, bookedAt: new Date(first.bookedAt.getTime() + 30_000) }
    await Promise.all([first, near].map((transfer) => postNotification(desk.portal, 'sepay', transfer)))
    const statuses = await Promise.all(
      [first, near].map(async (transfer) => (await storedEventsOf(desk.portal, transfer))[0]?.status),
    )
    expect(statuses.sort()).toEqual(['applied', 'review'])
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
    expect(await listed({ waiting: true, q: '0458' })).toMatchObject([{ reason: 'reference-conflict' }])
  })

  test('is left to a person when it tells no time', async () => {
    const { player, order } = await payment(desk.portal)
    const first = aTransfer({ memo: order.code, ref: '0460', bookedAt: at(60) })
    const timeless = { ...first, id: first.id + 1 }
    await postNotification(desk.portal, 'sepay', first)
    await postFields(desk.portal, 'sepay', { ...fieldsOf('sepay', timeless), transactionDate: '' })
    expect(await storedEventsOf(desk.portal, timeless)).toMatchObject([
      { status: 'review', reason: 'reference-conflict', state: 'credited' },
    ])
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
  })

  test('is reported by a second provider without a second credit', async () => {
    const { player, order } = await payment(desk.portal)
    const transfer = aTransfer({ memo: order.code, ref: '0459' })
    await Promise.all(
      (['sepay', 'casso', 'payos'] as const).map((provider, index) =>
        postNotification(desk.portal, provider, { ...transfer, id: transfer.id + index }),
      ),
    )
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
    expect((await listed({ q: '0459' })).map(({ status }) => status).sort()).toEqual([
      'applied',
      'duplicate',
      'duplicate',
    ])
  })
})

describe('a signed notification', () => {
  test.each<[string, (fields: Record<string, unknown>) => [Buffer, string]]>([
    [
      'with its amount as text and capitals',
      (fields) => [
        Buffer.from(JSON.stringify({ ...fields, transferAmount: '50,000', transferType: 'IN' })),
        'application/json',
      ],
    ],
    [
      'as a form',
      (fields) => [
        Buffer.from(new URLSearchParams(fields as Record<string, string>).toString()),
        'application/x-www-form-urlencoded',
      ],
    ],
    [
      'as a form in parts',
      (fields) => [
        Buffer.from(
          `${Object.entries(fields)
            .map(
              ([name, value]) =>
                `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
            )
            .join('')}--b--\r\n`,
        ),
        'multipart/form-data; boundary=b',
      ],
    ],
    ['called plain text', (fields) => [Buffer.from(JSON.stringify(fields)), 'text/plain']],
    ['in a list', (fields) => [Buffer.from(JSON.stringify([fields])), 'application/json']],
    [
      'with a byte order mark',
      (fields) => [Buffer.from(`\ufeff${JSON.stringify(fields)}`), 'application/json'],
    ],
    [
      'with its memo decomposed',
      (fields) => [
        Buffer.from(
          JSON.stringify({ ...fields, content: `Nạp tiền ${String(fields.content)}`.normalize('NFD') }),
        ),
        'application/json',
      ],
    ],
    [
      'without a time',
      (fields) => [
        Buffer.from(JSON.stringify({ ...fields, transactionDate: undefined })),
        'application/json',
      ],
    ],
  ])('%s is credited', async (_what, written) => {
    const { player, order } = await payment(desk.portal)
    const [raw, contentType] = written(aNotification({ content: order.code }))
    const answer = await send(raw, contentType)
    expect([answer.statusCode, answer.body]).toEqual([200, '{"success":true}'])
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
    expect((await orderNow(desk.portal, player, order.code)).status).toBe('paid')
  })

  test.each(['', '{"id":', 'null', '[]', '\u0000\u0001', '{"id":77,"transferAmount":{"vnd":50000}}'])(
    'that nobody can read is stored, answered 200 and waits: %j',
    async (text) => {
      const before = await listed({ state: 'unreadable' })
      expect(await deliver(desk.portal, text)).toMatchObject({ status: 200, body: { success: true } })
      const [newest, ...others] = await listed({ state: 'unreadable' })
      expect(others).toEqual(before)
      expect(newest).toMatchObject({ is_open: true, reason_text: 'Thông báo không đọc được' })
      const one = await desk.portal.call('GET', `/api/operator/payment-events/${newest!.id}`, {
        token: desk.cashier.token,
      })
      expect(one.body.raw).toBe(text.replace('\u0000', ''))
    },
  )

  test('is found by what it says, whatever became of it', async () => {
    const stranger = aNotification({
      accountNumber: '7770000000007',
      content: 'Trả nợ chị Hạnh',
      transferAmount: 123_457,
      referenceCode: 'FT777',
    })
    await deliver(desk.portal, stranger)
    const [row] = await listed({ state: 'ignored' })
    expect(row).toMatchObject({ reason: 'foreign-account', amount: 123_457, is_open: false })
    for (const q of [
      'ft777',
      'tra no',
      'chi hanh',
      '123457',
      '123,457',
      '7770000000007',
      String(stranger.id),
    ])
      expect([q, await found(q)]).toEqual([q, [row!.id]])
    const { body } = await desk.portal.call(
      'GET',
      `/api/operator/search?q=${encodeURIComponent('chị Hạnh')}`,
      {
        token: desk.cashier.token,
      },
    )
    expect(body).toMatchObject([{ kind: 'payment-event', ref: row!.id, amount: 123_457 }])
    expect(await listed({ account: '7770000000007', amount: 123_457 })).toMatchObject([{ id: row!.id }])
  })

  test('is found by its whole memo, whatever is read as a code in it', async () => {
    const { order } = await payment(desk.portal)
    const content = `TCX${order.code} cua Lan`
    await deliver(desk.portal, aNotification({ content, accountNumber: '7770000000008' }))
    const [row] = await listed({ account: '7770000000008' })
    expect(await found(content)).toEqual([row!.id])
  })

  test('without a transfer is found by the claim of who paid', async () => {
    const { player } = await payment(desk.portal)
    const lost = aNotification({
      accountNumber: '7770000000008',
      content: 'nap game',
      transferAmount: 61_234,
    })
    await deliver(desk.portal, lost)
    const claim = await aClaim(desk.portal, player, { fields: { amount: '61234' } })
    const { body } = await desk.portal.call('GET', `/api/operator/recharge-claims/${claim}`, {
      token: desk.cashier.token,
    })
    expect(body.notices).toMatchObject([{ memo: 'nap game', amount: 61_234, reason: 'foreign-account' }])
  })

  test('under a known id is listed each time, and with another content it waits', async () => {
    const { player, order } = await payment(desk.portal)
    const notification = aNotification({ content: order.code })
    for (const _ of [1, 2, 3]) await deliver(desk.portal, notification)
    const other = { ...notification, transferAmount: 60_000 }
    for (const _ of [1, 2]) await deliver(desk.portal, other)
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
    expect(await storedEvents(desk.portal, notification)).toHaveLength(1)
    const all = await listed({ q: String(notification.referenceCode) })
    expect(all.map(({ status, reason }) => [status, reason])).toEqual([
      ['duplicate', 'repeated'],
      ['review', 'changed-notice'],
      ['duplicate', 'repeated'],
      ['duplicate', 'repeated'],
      ['applied', null],
    ])
    expect(all.map(({ is_open }) => is_open)).toEqual([false, true, false, false, false])
  })

  test('of two of payOS’ transfers for one link without a reference is not dropped', async () => {
    const { order } = await payment(desk.portal)
    const transfer = aTransfer({ memo: order.code, ref: null })
    await postNotification(desk.portal, 'payos', transfer)
    await postNotification(desk.portal, 'payos', { ...transfer, amount: 20_000 })
    expect(await listed({ waiting: true, amount: 20_000 })).toMatchObject([{ reason: 'changed-notice' }])
  })

  test('to an account of ours is matched as ever', async () => {
    const notification = aNotification({ accountNumber: VIETCOMBANK.number })
    await deliver(desk.portal, notification)
    expect(await storedEvents(desk.portal, notification)).toMatchObject([{ reason: 'no-code' }])
  })
})
