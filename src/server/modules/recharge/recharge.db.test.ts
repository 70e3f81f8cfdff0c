import jsQR from 'jsqr'
import sharp from 'sharp'
import { beforeAll, describe, expect, test as it } from 'vitest'
import type { RechargeOrder } from '#contract/recharge.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { isOrderCode } from './order-code.rules.ts'
import { expireOrders } from './recharge.service.ts'
import { ACB, MOMO, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { ageOrder, anOrder, openAccounts, orderNow } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { brokenChecks } from '#tests/support/ledger.ts'
import { setSetting } from '#tests/support/settings.ts'
import { decodeVietQr } from './vietqr.rules.ts'

const test = useTestApp()
let player: TestPlayer
beforeAll(async () => {
  await openAccounts(test)
  player = await aPlayer(test)
})

const open = (whose: TestPlayer, body: unknown, key?: string) =>
  test.call('POST', '/api/recharge/orders', {
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
  it('are those with an account to receive on, with the limits of today', async () => {
    const answer = await test.call('GET', '/api/recharge/channels', { token: player.token })
    expect(answer.status).toBe(200)
    const limits = { min: 10_000, max: 50_000_000, account_name: 'CONG TY NINJA' }
    expect(answer.body).toEqual([
      { channel: 2, name: 'Vietcombank', ...limits },
      { channel: 3, name: 'ACB', ...limits },
    ])
  })

  it('are told to nobody without a session', async () => {
    expect((await test.call('GET', '/api/recharge/channels')).status).toBe(401)
    expect((await test.call('POST', '/api/recharge/orders', { body: {} })).status).toBe(401)
  })
})

describe('a new order', () => {
  it('shows a QR that holds exactly the account, the amount and the code', async () => {
    const buyer = await aPlayer(test)
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

  it('of another channel goes to the account of that channel', async () => {
    const order = await anOrder(test, player, { channel: 3, amount: 10_000 })
    expect(decodeVietQr(order.qr)).toMatchObject({
      qr: { bin: '970416', account: ACB.number, amount: 10_000 },
    })
    expect(order).toMatchObject({ bank_name: 'ACB', account_number: ACB.number })
  })

  it('of MoMo carries the reference of the wallet, once an operator has set one up', async () => {
    await setSetting(test, 'bank_account_momo', JSON.stringify(MOMO))
    const order = await anOrder(test, await aPlayer(test), { channel: 1 })
    expect(decodeVietQr(order.qr)).toMatchObject({
      qr: { bin: '971025', account: MOMO.number, reference: MOMO.reference, memo: order.code },
    })
    await setSetting(test, 'bank_account_momo', '')
  })

  it.each([
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
    const answer = await open(await aPlayer(test), body)
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION', errors: { [field]: [message] } },
    })
  })

  it('is refused to a banned player, who hears until when and why', async () => {
    const banned = await aPlayer(test)
    await asOwner(
      test,
      `UPDATE users SET ban_until = now() + interval '1 day', ban_reason = 'thử' WHERE id = $1`,
      [banned.id],
    )
    const answer = await open(banned, { channel: 2, amount: 50_000 })
    expect(answer).toMatchObject({ status: 422, body: { code: 'BANNED' } })
  })

  it('keeps the account and the rate it was promised with', async () => {
    const order = await anOrder(test, await aPlayer(test))
    const row = await test.db
      .selectFrom('payment_order')
      .select(['rate', 'bank_bin', 'account_number'])
      .where('code', '=', order.code)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ rate: '1', bank_bin: '970436', account_number: VIETCOMBANK.number })
  })
})

describe('a player has at most three open orders', () => {
  it('even when twenty are asked for at once', async () => {
    const hasty = await aPlayer(test)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => open(hasty, { channel: 2, amount: 20_000 })),
    )
    const opened = answers.filter((answer) => answer.status === 201)
    const refused = answers.filter((answer) => answer.status === 422)
    expect([opened.length, refused.length]).toEqual([3, 17])
    for (const answer of refused) expect(answer.body).toMatchObject({ code: 'LIMIT_EXCEEDED', report: true })
    expect(new Set(opened.map((answer) => (answer.body as RechargeOrder).code)).size).toBe(3)
  })

  it('and gets room again by cancelling, or when time runs out', async () => {
    const patient = await aPlayer(test)
    const first = await anOrder(test, patient)
    const second = await anOrder(test, patient)
    await anOrder(test, patient)
    expect((await open(patient, { channel: 2, amount: 20_000 })).status).toBe(422)
    await test.call('POST', `/api/recharge/orders/${first.code}/cancel`, { token: patient.token })
    expect((await open(patient, { channel: 2, amount: 20_000 })).status).toBe(201)
    expect((await open(patient, { channel: 2, amount: 20_000 })).status).toBe(422)
    await ageOrder(test, second.code, 1)
    expect((await open(patient, { channel: 2, amount: 20_000 })).status).toBe(201)
  })
})

describe('under a key of the caller', () => {
  it('one order is opened, however often and however parallel it is asked for', async () => {
    const buyer = await aPlayer(test)
    const body = { channel: 2, amount: 30_000 }
    const answers = await Promise.all(Array.from({ length: 16 }, () => open(buyer, body, 'mot-lan')))
    answers.push(await open(buyer, body, 'mot-lan'))
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([201, answers[0]?.body])
    const list = await test.call('GET', '/api/recharge/orders', { token: buyer.token })
    expect((list.body as { data: unknown[] }).data).toHaveLength(1)
    expect(await open(buyer, { ...body, amount: 40_000 }, 'mot-lan')).toMatchObject({
      status: 422,
      body: { code: 'KEY_REUSED' },
    })
    expect(await brokenChecks(test)).toEqual([])
  })
})

describe('an order is shown', () => {
  it('to its player alone; another player’s is as unknown as one that never was', async () => {
    const owner = await aPlayer(test)
    const order = await anOrder(test, owner)
    expect(await orderNow(test, owner, order.code)).toEqual(order)
    const paths = [
      ['GET', `/api/recharge/orders/${order.code}`],
      ['POST', `/api/recharge/orders/${order.code}/cancel`],
      ['GET', `/api/recharge/orders/${order.code}/events`],
      ['GET', '/api/recharge/orders/TCXABCDEFGHJD'],
    ] as const
    for (const [method, path] of paths) {
      const answer = await test.call(method, path, { token: player.token })
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect((await orderNow(test, owner, order.code)).status).toBe('pending')
  })

  it('in pages, the newest first', async () => {
    const regular = await aPlayer(test)
    const codes: string[] = []
    for (let count = 0; count < 3; count += 1) codes.unshift((await anOrder(test, regular)).code)
    const page = async (query: string) =>
      (await test.call('GET', `/api/recharge/orders${query}`, { token: regular.token })).body as {
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

  it('as expired from the moment it is, and without its picture', async () => {
    const late = await aPlayer(test)
    const order = await anOrder(test, late)
    await ageOrder(test, order.code, 0.6)
    expect(await orderNow(test, late, order.code)).toMatchObject({ status: 'expired', qr_svg: '' })
    const stored = async () =>
      (
        await test.db
          .selectFrom('payment_order')
          .select('status')
          .where('code', '=', order.code)
          .executeTakeFirstOrThrow()
      ).status
    expect(await stored()).toBe('pending')
    expect(await expireOrders(test.deps)).toBe(false)
    expect(await stored()).toBe('expired')
  })
})

describe('cancelling', () => {
  it('works once, while the order waits for money', async () => {
    const doubtful = await aPlayer(test)
    const order = await anOrder(test, doubtful)
    const cancel = () =>
      test.call('POST', `/api/recharge/orders/${order.code}/cancel`, { token: doubtful.token })
    expect(await cancel()).toMatchObject({ status: 200, body: { code: order.code, status: 'cancelled' } })
    expect(await cancel()).toMatchObject({ status: 409, body: { code: 'CONFLICT', report: true } })
  })

  it('does not work on an order whose time has run out', async () => {
    const doubtful = await aPlayer(test)
    const order = await anOrder(test, doubtful)
    await ageOrder(test, order.code, 1)
    const answer = await test.call('POST', `/api/recharge/orders/${order.code}/cancel`, {
      token: doubtful.token,
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })
})
