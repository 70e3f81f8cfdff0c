import { afterEach, describe, expect, it } from 'vitest'
import { usePollingApp } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { queryDueCheckouts } from './order-queries.service.ts'
import { anOrder, balanceOf, orderNow } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'

const polling = usePollingApp('momo')
const { test } = polling
afterEach(() => expectReconciled(test))

const order = (player: TestPlayer, key?: string) =>
  test.call('POST', '/api/recharge/orders', {
    token: player.token,
    body: { channel: 1, amount: 50_000 },
    ...(key === undefined ? {} : { key }),
  })

/** MoMo's notification about an order, as it stands there. */
const notify = (code: string, change: Record<string, unknown> = {}) =>
  test.app.inject({
    method: 'POST',
    url: '/api/webhooks/momo',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(polling.bank.momo.ipn(code, change)),
  })

/** As if so much time had gone by since the order was made and last queried. */
const later = (code: string, minutes: number) =>
  asOwner(
    test,
    `UPDATE payment_checkout SET created_at = created_at - make_interval(mins => $2),
            next_query_at = next_query_at - make_interval(mins => $2),
            last_query_at = last_query_at - make_interval(mins => $2)
      WHERE order_id = (SELECT id FROM payment_order WHERE code = $1)`,
    [code, minutes],
  )

const checkoutOf = (code: string) =>
  test.db
    .selectFrom('payment_checkout as c')
    .innerJoin('payment_order as o', 'o.id', 'c.order_id')
    .selectAll('c')
    .select('o.status')
    .where('o.code', '=', code)
    .executeTakeFirstOrThrow()

const queries = () => polling.bank.calls.filter((call) => call.endsWith('/query')).length

async function aMomoOrder() {
  const player = await aPlayer(test)
  return { player, order: await anOrder(test, player, { channel: 1 }) }
}

describe('an order of MoMo’s channel', () => {
  it('is made at MoMo, and shows its QR and the way into its app', async () => {
    const player = await aPlayer(test)
    const channels = await test.call('GET', '/api/recharge/channels', { token: player.token })
    expect(channels.body[0]).toMatchObject({ channel: 1, name: 'MoMo', max: 50_000_000 })
    const made = await order(player, 'momo-1')
    expect(made.status).toBe(201)
    const { code } = made.body
    expect(made.body).toMatchObject({
      channel: 1,
      status: 'pending',
      memo: code,
      qr: `momo://app?action=payWithApp&orderId=${code}`,
      pay_url: `https://test-payment.momo.vn/v2/gateway/pay?t=${code}`,
    })
    expect(made.body.qr_svg).toContain('<svg')
    expect(polling.bank.momo.orders.get(code)).toMatchObject({
      requestId: code,
      amount: 50_000,
      ipnUrl: 'https://ninja.example/api/webhooks/momo',
      redirectUrl: `https://ninja.example/recharge/${code}`,
    })
    expect(await orderNow(test, player, code)).toEqual(made.body)
    const again = await order(player, 'momo-1')
    expect([again.status, again.body]).toEqual([201, made.body])
    expect(polling.bank.momo.orders.size).toBe(1)
  })

  it('has the address as its QR where MoMo gives none', async () => {
    polling.bank.momo.hasQr = false
    const { order: made } = await aMomoOrder()
    polling.bank.momo.hasQr = true
    expect(made.qr).toBe(made.pay_url)
  })

  it('is credited by its notification, which is answered 204', async () => {
    const { player, order: made } = await aMomoOrder()
    polling.bank.momo.settle(made.code)
    expect([(await notify(made.code)).statusCode, (await notify(made.code)).statusCode]).toEqual([204, 204])
    expect(await balanceOf(test, player)).toBe(50_000)
    expect(await orderNow(test, player, made.code)).toMatchObject({ status: 'paid', credited: 50_000 })
    expect((await orderNow(test, player, made.code)).pay_url).toBeUndefined()
  })

  it('is not credited by the answer to another request', async () => {
    const { player, order: made } = await aMomoOrder()
    polling.bank.momo.settle(made.code)
    await notify(made.code, { requestId: 'another' })
    expect(await balanceOf(test, player)).toBe(0)
    expect((await orderNow(test, player, made.code)).status).toBe('review')
  })
})

describe('when MoMo does not make the order', () => {
  it.each([
    ['is broken', 'error'],
    ['answers nobody', 'lost-after'],
    ['answers with something else', 'garbage'],
  ] as const)(
    'because it %s, the order is closed and the same key may succeed later',
    async (_what, fault) => {
      const player = await aPlayer(test)
      polling.bank.failNext(fault)
      const key = `key-${fault}`
      const refused = await order(player, key)
      expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE'])
      expect(refused.body.message).toMatch(/MoMo đang không tạo được đơn/)
      expect(refused.headers['retry-after']).toBe('60')
      const listed = await test.call('GET', '/api/recharge/orders', { token: player.token })
      expect(listed.body.data.map(({ status }: { status: string }) => status)).toEqual(['cancelled'])

      const made = await order(player, key)
      expect([made.status, made.body.status]).toEqual([201, 'pending'])
      expect(made.body.pay_url).toBeTruthy()
      expect((await order(player, key)).body).toEqual(made.body)
      const reused = await test.call('POST', '/api/recharge/orders', {
        token: player.token,
        body: { channel: 1, amount: 60_000 },
        key,
      })
      expect(reused.body.code).toBe('KEY_REUSED')
    },
  )

  it('queries later whether an unanswered one was made after all', async () => {
    const player = await aPlayer(test)
    polling.bank.failNext('lost-after')
    await order(player)
    const { code } = await test.db
      .selectFrom('payment_order')
      .select('code')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(await checkoutOf(code)).toMatchObject({ state: 'asked', status: 'cancelled' })
    polling.bank.momo.orders.delete(code)
    await later(code, 2)
    await queryDueCheckouts(test.deps)
    expect(await checkoutOf(code)).toMatchObject({ state: 'failed', next_query_at: null })
  })

  it('is requested once by many calls at the same moment with one key', async () => {
    const player = await aPlayer(test)
    const before = polling.bank.momo.orders.size
    const answers = await Promise.all(Array.from({ length: 6 }, () => order(player, 'many')))
    expect(polling.bank.momo.orders.size).toBe(before + 1)
    const outcomes = new Set(
      answers.map(({ status, body }) => `${status} ${body.code.replace(/^TCX.*/, 'the order')}`),
    )
    expect([...outcomes].filter((one) => one !== '409 IN_PROGRESS')).toEqual(['201 the order'])
    expect((await order(player, 'many')).status).toBe(201)
  })

  it('closes one whose making was never finished, when its player tries again', async () => {
    const { player, order: made } = await aMomoOrder()
    await order(player, 'crash')
    const { code } = (await order(player, 'crash')).body
    await asOwner(
      test,
      `UPDATE payment_checkout SET pay_url = NULL, state = 'asked' WHERE provider_order = $1`,
      [code],
    )
    expect((await order(player, 'crash')).status).toBe(409)
    await later(code, 1)
    const fresh = await order(player, 'crash')
    expect([fresh.status, fresh.body.code === code]).toEqual([201, false])
    expect((await orderNow(test, player, code)).status).toBe('cancelled')
    expect(made.code).not.toBe(code)
  })
})

describe('a payment whose notification never comes', () => {
  it('is found by a query a minute later, and credited once', async () => {
    const { player, order: made } = await aMomoOrder()
    polling.bank.momo.settle(made.code)
    await queryDueCheckouts(test.deps)
    expect(await balanceOf(test, player)).toBe(0)
    await later(made.code, 1)
    const before = queries()
    await Promise.all([queryDueCheckouts(test.deps), queryDueCheckouts(test.deps)])
    expect(queries()).toBe(before + 1)
    expect(await balanceOf(test, player)).toBe(50_000)
    expect(await checkoutOf(made.code)).toMatchObject({ state: 'done', status: 'paid' })
    expect((await notify(made.code)).statusCode).toBe(204)
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('and one whose notification comes at the same moment are one credit', async () => {
    const { player, order: made } = await aMomoOrder()
    polling.bank.momo.settle(made.code)
    await later(made.code, 1)
    await Promise.all([queryDueCheckouts(test.deps), notify(made.code), notify(made.code)])
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('is queried when the player comes back, and not at each reading', async () => {
    const { player, order: made } = await aMomoOrder()
    polling.bank.momo.settle(made.code)
    await asOwner(
      test,
      `UPDATE payment_checkout SET created_at = created_at - interval '31 s' WHERE provider_order = $1`,
      [made.code],
    )
    polling.bank.failNext('error')
    const before = queries()
    for (let look = 0; look < 3; look += 1) {
      await orderNow(test, player, made.code)
      await queryDueCheckouts(test.deps)
    }
    expect(queries()).toBe(before + 1)
    await asOwner(
      test,
      `UPDATE payment_checkout SET last_query_at = last_query_at - interval '31 s' WHERE provider_order = $1`,
      [made.code],
    )
    await orderNow(test, player, made.code)
    await queryDueCheckouts(test.deps)
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('that was reported as pending first is queried at once', async () => {
    const { player, order: made } = await aMomoOrder()
    polling.bank.momo.settle(made.code, 9_000)
    await notify(made.code)
    await queryDueCheckouts(test.deps)
    expect(await balanceOf(test, player)).toBe(0)
    expect(await checkoutOf(made.code)).toMatchObject({ state: 'open', queries: 1 })
    polling.bank.momo.settle(made.code)
    await notify(made.code, { resultCode: 9_000 })
    await later(made.code, 1)
    await queryDueCheckouts(test.deps)
    expect(await balanceOf(test, player)).toBe(50_000)
  })
})

describe('the query of an order', () => {
  it('ends when the player has given up, and closes the order', async () => {
    const { player, order: made } = await aMomoOrder()
    polling.bank.momo.settle(made.code, 1_006)
    await later(made.code, 1)
    await queryDueCheckouts(test.deps)
    expect((await orderNow(test, player, made.code)).status).toBe('cancelled')
    expect(await checkoutOf(made.code)).toMatchObject({ state: 'done', next_query_at: null })
  })

  it('goes on at 1, 3, 10 and 30 minutes and every hour, for a day', async () => {
    const { order: made } = await aMomoOrder()
    const gaps: number[] = []
    const started = (await checkoutOf(made.code)).created_at.getTime()
    let gone = 0
    for (const minutes of [1, 3, 10, 30, 60, 120, 1_439, 1_440]) {
      await later(made.code, minutes - gone)
      gone = minutes
      await queryDueCheckouts(test.deps)
      const { next_query_at, created_at } = await checkoutOf(made.code)
      gaps.push(
        next_query_at === null ? -1 : Math.round((next_query_at.getTime() - created_at.getTime()) / 60_000),
      )
    }
    expect(gaps).toEqual([3, 10, 30, 60, 120, 180, 1_440, -1])
    expect(started).toBeLessThan(Date.now())
  })

  it.each([
    ['is broken', 'error'],
    ['answers with something else', 'garbage'],
  ] as const)('credits nothing while MoMo %s', async (_what, fault) => {
    const { player, order: made } = await aMomoOrder()
    polling.bank.momo.settle(made.code)
    await later(made.code, 1)
    polling.bank.failNext(fault)
    await queryDueCheckouts(test.deps)
    expect(await balanceOf(test, player)).toBe(0)
    expect(await checkoutOf(made.code)).toMatchObject({ state: 'open' })
  })
})
