import jsQR from 'jsqr'
import { failedWork, poison } from '#tests/support/poisoned-row.ts'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RechargeOrder } from '#contract/recharge.ts'
import { findUsualSeconds } from '#server/modules/bank-inbox/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { ACB, MOMO, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { ageOrder, anOrder, openAccounts, orderNow, aNotification, deliver } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { brokenChecks } from '#tests/support/ledger.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { setSetting } from '#tests/support/settings.ts'
import { isOrderCode } from './order-code.rules.ts'
import { expireOrders, usualSeconds } from './recharge.service.ts'
import { decodeVietQr } from './vietqr.rules.ts'

const portal = useTestApp()
let player: TestPlayer

beforeAll(async () => {
  await openAccounts(portal)
  player = await aPlayer(portal)
})

const open = (whose: TestPlayer, body: unknown, key?: string) =>
  portal.call('POST', '/api/recharge/orders', {
    token: whose.token,
    body,
    ...(key === undefined ? {} : { key }),
  })

/** Reads the picture as a phone would. */
async function scan(svg: string): Promise<string | undefined> {
  const image = sharp(Buffer.from(svg)).resize(400, 400, { kernel: 'nearest' }).ensureAlpha().raw()
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data
}

describe('the channels', () => {
  test('are those with an account to receive on, with the limits of today', async () => {
    const answer = await portal.call('GET', '/api/recharge/channels', { token: player.token })
    expect(answer.status).toBe(200)
    const limits = { min: 10_000, max: 50_000_000, account_name: 'CONG TY NINJA' }
    const usual = { ...limits, promotion: null, promotions: [] }
    expect(answer.body).toEqual([
      { channel: 2, name: 'Vietcombank', ...usual },
      { channel: 3, name: 'ACB', ...usual },
    ])
  })

  test('are shown to nobody without a session', async () => {
    expect((await portal.call('GET', '/api/recharge/channels')).status).toBe(401)
    expect((await portal.call('POST', '/api/recharge/orders', { body: {} })).status).toBe(401)
  })
})

describe('a new order', () => {
  test('shows a QR that holds exactly the account, the amount and the code', async () => {
    const buyer = await aPlayer(portal)
    const before = Date.now()
    const answer = await open(buyer, { channel: 2, amount: 50_000 })
    expect(answer.status).toBe(201)
    const order = answer.body as RechargeOrder
    expect(order).toEqual({
      code: order.code,
      channel: 2,
      amount: 50_000,
      credited: 0,
      status: 'pending',
      qr: order.qr,
      qr_svg: order.qr_svg,
      bank_name: 'Vietcombank',
      account_number: VIETCOMBANK.number,
      account_name: VIETCOMBANK.name,
      memo: order.code,
      created_at: order.created_at,
      expires_at: order.expires_at,
      bonus: null,
      purchase: null,
    })
    expect(isOrderCode(order.code)).toBe(true)
    expect(Date.parse(order.expires_at) - Date.parse(order.created_at)).toBe(30 * 60_000)
    expect(Math.abs(Date.parse(order.created_at) - before)).toBeLessThan(60_000)
    const scanned = await scan(order.qr_svg)
    expect(scanned).toBe(order.qr)
    expect(decodeVietQr(order.qr)).toEqual({
      ok: true,
      qr: {
        bin: '970436',
        account: VIETCOMBANK.number,
        service: 'QRIBFTTA',
        initiation: '12',
        amount: 50_000,
        memo: order.code,
      },
    })
    expect(order.qr_svg).not.toMatch(/style=|<script|href/)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('of another channel goes to the account of that channel', async () => {
    const order = await anOrder(portal, player, { channel: 3, amount: 10_000 })
    expect(decodeVietQr(order.qr)).toMatchObject({
      qr: { bin: '970416', account: ACB.number, amount: 10_000 },
    })
    expect(order).toMatchObject({ bank_name: 'ACB', account_number: ACB.number })
  })

  test('of MoMo carries the reference of the wallet, once an operator has set one up', async () => {
    await setSetting(portal, 'bank_account_momo', JSON.stringify(MOMO))
    const order = await anOrder(portal, await aPlayer(portal), { channel: 1 })
    expect(decodeVietQr(order.qr)).toMatchObject({
      qr: { bin: '971025', account: MOMO.number, reference: MOMO.reference, memo: order.code },
    })
    await setSetting(portal, 'bank_account_momo', '')
  })

  test.each([
    ['a closed channel', { channel: 1, amount: 50_000 }, 'channel', 'Kênh nạp này hiện chưa mở'],
    ['a channel there is not', { channel: 9, amount: 50_000 }, 'channel', 'Kênh nạp này hiện chưa mở'],
    ['too little', { channel: 2, amount: 9_999 }, 'amount', 'Số tiền nạp tối thiểu là 10,000 VND'],
    [
      'too much',
      { channel: 2, amount: 50_000_001 },
      'amount',
      'Số tiền nạp tối đa mỗi lần là 50,000,000 VND',
    ],
    ['half a dong', { channel: 2, amount: 50_000.5 }, 'amount', 'Số tiền phải là số nguyên'],
    ['an amount in text', { channel: 2, amount: '50000' }, 'amount', 'Số tiền phải là số nguyên'],
    ['no channel', { amount: 50_000 }, 'channel', 'Vui lòng chọn kênh nạp'],
  ])('is refused for %s', async (_what, body, field, message) => {
    const answer = await open(await aPlayer(portal), body)
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION', errors: { [field]: [message] } },
    })
  })

  test('is refused to a banned player, with the end and the reason of the ban', async () => {
    const banned = await aPlayer(portal)
    await asOwner(
      portal,
      `UPDATE users SET ban_until = now() + interval '1 day', ban_reason = 'thử' WHERE id = $1`,
      [banned.id],
    )
    const answer = await open(banned, { channel: 2, amount: 50_000 })
    expect(answer).toMatchObject({ status: 422, body: { code: 'BANNED' } })
  })

  test('has the account and the rate of its start', async () => {
    const order = await anOrder(portal, await aPlayer(portal))
    const row = await portal.db
      .selectFrom('payment_order')
      .select(['rate', 'bank_bin', 'account_number'])
      .where('code', '=', order.code)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ rate: '1', bank_bin: '970436', account_number: VIETCOMBANK.number })
  })
})

describe('a player has at most three open orders', () => {
  test('even when twenty are requested at once', async () => {
    const hasty = await aPlayer(portal)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => open(hasty, { channel: 2, amount: 20_000 })),
    )
    const opened = answers.filter((answer) => answer.status === 201)
    const refused = answers.filter((answer) => answer.status === 422)
    expect([opened.length, refused.length]).toEqual([3, 17])
    for (const answer of refused) expect(answer.body).toMatchObject({ code: 'LIMIT_EXCEEDED', report: true })
    expect(new Set(opened.map((answer) => (answer.body as RechargeOrder).code)).size).toBe(3)
  })

  test('and gets room again by cancelling, or when time runs out', async () => {
    const patient = await aPlayer(portal)
    const first = await anOrder(portal, patient)
    const second = await anOrder(portal, patient)
    await anOrder(portal, patient)
    expect((await open(patient, { channel: 2, amount: 20_000 })).status).toBe(422)
    await portal.call('POST', `/api/recharge/orders/${first.code}/cancel`, { token: patient.token })
    expect((await open(patient, { channel: 2, amount: 20_000 })).status).toBe(201)
    expect((await open(patient, { channel: 2, amount: 20_000 })).status).toBe(422)
    await ageOrder(portal, second.code, 1)
    expect((await open(patient, { channel: 2, amount: 20_000 })).status).toBe(201)
  })
})

describe('under a key of the caller', () => {
  test('one order is opened, however often and however parallel it is requested', async () => {
    const buyer = await aPlayer(portal)
    const body = { channel: 2, amount: 30_000 }
    const answers = await Promise.all(Array.from({ length: 16 }, () => open(buyer, body, 'mot-lan')))
    answers.push(await open(buyer, body, 'mot-lan'))
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([201, answers[0]?.body])
    const list = await portal.call('GET', '/api/recharge/orders', { token: buyer.token })
    expect((list.body as { data: unknown[] }).data).toHaveLength(1)
    expect(await open(buyer, { ...body, amount: 40_000 }, 'mot-lan')).toMatchObject({
      status: 422,
      body: { code: 'KEY_REUSED' },
    })
    expect(await brokenChecks(portal)).toEqual([])
  })
})

describe('an order is shown', () => {
  test('to its player alone; another player’s is as unknown as one that never was', async () => {
    const owner = await aPlayer(portal)
    const order = await anOrder(portal, owner)
    expect(await orderNow(portal, owner, order.code)).toEqual(order)
    const paths = [
      ['GET', `/api/recharge/orders/${order.code}`],
      ['POST', `/api/recharge/orders/${order.code}/cancel`],
      ['GET', `/api/recharge/orders/${order.code}/events`],
      ['GET', '/api/recharge/orders/TCXABCDEFGHJD'],
    ] as const
    for (const [method, path] of paths) {
      const answer = await portal.call(method, path, { token: player.token })
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect((await orderNow(portal, owner, order.code)).status).toBe('pending')
  })

  test('in pages, the newest first', async () => {
    const regular = await aPlayer(portal)
    const codes: string[] = []
    for (let count = 0; count < 3; count += 1) codes.unshift((await anOrder(portal, regular)).code)
    const page = async (query: string) =>
      (await portal.call('GET', `/api/recharge/orders${query}`, { token: regular.token })).body as {
        data: RechargeOrder[]
        payload: unknown
      }
    const first = await page('?items_per_page=2')
    expect(first.data.map((order) => order.code)).toEqual(codes.slice(0, 2))
    expect(first.payload).toEqual({ pagination: { page: 1, items_per_page: 2, total: 3, last_page: 2 } })
    const second = await page('?items_per_page=2&page=2')
    expect(second.data.map((order) => order.code)).toEqual(codes.slice(2))
    expect((await page('?page=9')).data).toEqual([])
  })

  test('as expired from the moment it is, and without its picture', async () => {
    const late = await aPlayer(portal)
    const order = await anOrder(portal, late)
    await ageOrder(portal, order.code, 0.6)
    expect(await orderNow(portal, late, order.code)).toMatchObject({ status: 'expired', qr_svg: '' })
    const stored = async () =>
      (
        await portal.db
          .selectFrom('payment_order')
          .select('status')
          .where('code', '=', order.code)
          .executeTakeFirstOrThrow()
      ).status
    expect(await stored()).toBe('pending')
    while (await expireOrders(portal.deps));
    expect(await stored()).toBe('expired')
  })

  test('as expired also where another order cannot be changed', async () => {
    const orders = [
      await anOrder(portal, await aPlayer(portal)),
      await anOrder(portal, await aPlayer(portal)),
    ]
    const codes = orders.map(({ code }) => code)
    await asOwner(
      portal,
      `UPDATE payment_order SET created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day'
        WHERE code = ANY ($1)`,
      [codes],
    )
    const states = async () =>
      await portal.db
        .selectFrom('payment_order')
        .select(['id', 'status'])
        .where('code', 'in', codes)
        .orderBy('id')
        .execute()
    const [{ id } = { id: '' }] = await states()
    const { cure } = await poison(portal, { table: 'payment_order', id })
    while (await expireOrders(portal.deps));
    expect((await states()).map(({ status }) => status)).toEqual(['pending', 'expired'])
    expect(await failedWork(portal)).toMatchObject([{ job: 'recharge expiry', subject: id }])
    await cure()
    while (await expireOrders(portal.deps));
    expect((await states()).map(({ status }) => status)).toEqual(['expired', 'expired'])
    expect(await failedWork(portal)).toEqual([])
  })
})

describe('cancelling', () => {
  test('works once, while the order waits for money', async () => {
    const doubtful = await aPlayer(portal)
    const order = await anOrder(portal, doubtful)
    const cancel = () =>
      portal.call('POST', `/api/recharge/orders/${order.code}/cancel`, { token: doubtful.token })
    expect(await cancel()).toMatchObject({ status: 200, body: { code: order.code, status: 'cancelled' } })
    expect(await cancel()).toMatchObject({ status: 409, body: { code: 'CONFLICT', report: true } })
  })

  test('does not work on an order whose time has run out', async () => {
    const doubtful = await aPlayer(portal)
    const order = await anOrder(portal, doubtful)
    await ageOrder(portal, order.code, 1)
    const answer = await portal.call('POST', `/api/recharge/orders/${order.code}/cancel`, {
      token: doubtful.token,
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })
})

describe('the usual time to the wallet', () => {
  beforeAll(() => openAccounts(portal))
  const HOUR_MS = 3_600_000
  const start_ms = Date.now()

  /** What players are shown so many hours from now; what is known is read again every five minutes. */
  const toldIn = (hours: number) =>
    usualSeconds({
      db: portal.db,
      findUsualSeconds,
      clock: { now: () => new Date(start_ms + hours * HOUR_MS) },
    })

  async function paidAfter(seconds: number): Promise<void> {
    const order = await anOrder(portal, await aPlayer(portal))
    await deliver(portal, aNotification({ content: order.code }))
    await asOwner(
      portal,
      `UPDATE payment_order SET paid_at = coalesce(payment.booked_at, payment.created_at) + make_interval(secs => $2)
         FROM bank_transaction AS payment WHERE payment.order_id = payment_order.id AND code = $1`,
      [order.code, seconds],
    )
  }

  test('the usual time to the wallet is shown once there are five payments of these days, and read every five minutes', async () => {
    const player = await aPlayer(portal)
    const { code } = await anOrder(portal, player)
    for (const seconds of [3, 900, 8, 12]) await paidAfter(seconds)
    expect(await toldIn(1)).toBeUndefined()
    await paidAfter(4)
    expect(await toldIn(1 + 0.05)).toBeUndefined()
    // Of 3, 4, 8, 12 and 900.
    expect(await toldIn(1 + 0.1)).toBe(8)

    await paidAfter(1)
    await paidAfter(1)
    expect(await toldIn(1 + 0.15)).toBe(8)
    expect(await toldIn(2)).toBe(4)
    // What a clock knew that was ahead is read again.
    for (let payment = 0; payment < 4; payment++) await paidAfter(30)
    expect(await toldIn(1.2)).toBe(12)
    // The player's page reads the same, and only of an open order.
    expect((await orderNow(portal, player, code)).usual_seconds).toBe(12)
    await deliver(portal, aNotification({ content: code }))
    expect(await orderNow(portal, player, code)).not.toHaveProperty('usual_seconds')
  })

  test('payments of longer ago do not count, and more than an hour is not shown', async () => {
    await asOwner(
      portal,
      `UPDATE payment_order SET paid_at = paid_at - interval '8 days' WHERE status = 'paid'`,
    )
    expect(await toldIn(3)).toBeUndefined()
    for (let count = 0; count < 5; count += 1) await paidAfter(3_601)
    expect(await toldIn(4)).toBeUndefined()
  })
})

describe('the preview of a QR', () => {
  test('an operator sees the QR of a receiving account as a player would, before it counts', async () => {
    const owner = await anOperator(portal, 'owner')
    const value = JSON.stringify({ bin: '970436', number: '0123456789', name: 'CONG TY NINJA' })
    const { status, body } = await portal.call('POST', '/api/operator/settings/preview-qr', {
      token: owner.token,
      body: { value },
    })
    expect(status).toBe(200)
    expect(decodeVietQr(body.qr)).toMatchObject({
      ok: true,
      qr: { bin: '970436', account: '0123456789', amount: body.amount, memo: body.memo },
    })
    expect(body.qr_svg).toMatch(/^<svg/)
    for (const wrong of ['', 'x', '{"bin":"1"}']) {
      const refused = await portal.call('POST', '/api/operator/settings/preview-qr', {
        token: owner.token,
        body: { value: wrong },
      })
      expect(refused.body).toMatchObject({ code: 'VALIDATION', errors: { value: [expect.any(String)] } })
    }
  })
})
