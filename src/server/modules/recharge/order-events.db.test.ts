import { beforeAll, describe, expect, test as it } from 'vitest'
import type { RechargeOrder } from '#contract/recharge.ts'
import { paymentsWith } from '#tests/support/payment-keys.ts'
import { startTestApp, useTestApp } from '#tests/support/app.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { freePort } from '#tests/support/network.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { sandboxPay } from './sandbox.service.ts'
import { aNotification, anOrder, balanceOf, deliver, openAccounts, orderNow } from '#tests/support/bank.ts'

// The sandbox pays at the address that the configuration has.
const port = await freePort()
const test = useTestApp({ mode: 'demo', environment: { PORT: String(port) } })
let url: string
beforeAll(async () => {
  await openAccounts(test)
  url = await test.app.listen({ host: '127.0.0.1', port })
})

const watch = (player: TestPlayer, code: string, at = url) =>
  openStream<RechargeOrder>(`${at}/api/recharge/orders/${code}/events`, {
    authorization: `Bearer ${player.token}`,
  })

describe('the events of an order', () => {
  it('have the order at once, and that it is paid as soon as it is; then they end', async () => {
    const player = await aPlayer(test)
    const order = await anOrder(test, player)
    const before_ms = Date.now()
    const { answer, next } = await watch(player, order.code)
    expect(answer.status).toBe(200)
    const told_ms = Number(answer.headers.get('x-server-time'))
    expect(told_ms).toBeGreaterThanOrEqual(before_ms)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    const first = await next()
    expect(first.data).toEqual(order)
    expect(first.id).toBeGreaterThanOrEqual(told_ms)
    const paidAt = Date.now()
    await deliver(test, aNotification({ content: order.code }))
    const paid = await next()
    expect(paid.data).toEqual(await orderNow(test, player, order.code))
    expect(paid.id).toBeGreaterThanOrEqual(paidAt)
    // The notification arrived; polling alone would have taken longer.
    expect(Date.now() - paidAt).toBeLessThan(4_000)
    expect(await next()).toBeUndefined()
  })

  it('of a paid order are that order and the end', async () => {
    const player = await aPlayer(test)
    const order = await anOrder(test, player)
    await deliver(test, aNotification({ content: order.code }))
    const { next } = await watch(player, order.code)
    expect((await next()).data).toMatchObject({ code: order.code, status: 'paid' })
    expect(await next()).toBeUndefined()
  })

  it('report a cancellation', async () => {
    const player = await aPlayer(test)
    const order = await anOrder(test, player)
    const { next } = await watch(player, order.code)
    await next()
    await test.call('POST', `/api/recharge/orders/${order.code}/cancel`, { token: player.token })
    expect((await next()).data).toMatchObject({ status: 'cancelled' })
  })

  it('need a live session in the header; a token elsewhere counts for nothing', async () => {
    const player = await aPlayer(test)
    const order = await anOrder(test, player)
    const path = `${url}/api/recharge/orders/${order.code}/events`
    expect((await fetch(path)).status).toBe(401)
    expect((await fetch(`${path}?access_token=${player.token}`)).status).toBe(401)
    expect((await fetch(path, { headers: { authorization: 'Bearer no' } })).status).toBe(401)
  })

  it('are watched by a player five times at most, until one of them goes away', async () => {
    const player = await aPlayer(test)
    const order = await anOrder(test, player)
    const open = await Promise.all(Array.from({ length: 5 }, () => watch(player, order.code)))
    expect(open.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 200, 200])
    const { answer: sixth } = await watch(player, order.code)
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await sixth.json()).toMatchObject({ code: 'RATE_LIMITED' })
    open[0]?.leave()
    await expect
      .poll(async () => {
        const again = await watch(player, order.code)
        open.push(again)
        return again.answer.status
      })
      .toBe(200)
    for (const { leave } of open) leave()
  })

  it('end when the portal stops, which does not wait for them', async () => {
    const stopping = await startTestApp()
    await openAccounts(stopping)
    const player = await aPlayer(stopping)
    const order = await anOrder(stopping, player)
    const { next } = await watch(
      player,
      order.code,
      await stopping.app.listen({ host: '127.0.0.1', port: 0 }),
    )
    await next()
    const from = Date.now()
    await stopping.close()
    expect(await next()).toBeUndefined()
    expect(Date.now() - from).toBeLessThan(5_000)
  })
})

describe('the sandbox', () => {
  const pay = (player: TestPlayer, body: unknown) =>
    test.call('POST', '/api/sandbox/pay', { token: player.token, body })

  it('pays an order through the public door, as a bank would', async () => {
    for (const channel of [2, 3]) {
      const player = await aPlayer(test)
      const order = await anOrder(test, player, { channel })
      expect(await pay(player, { code: order.code })).toMatchObject({
        status: 200,
        body: { message: 'Đã gửi thông báo chuyển khoản thử', notify: true },
      })
      expect(await orderNow(test, player, order.code)).toMatchObject({ status: 'paid', credited: 50_000 })
      expect(await balanceOf(test, player)).toBe(50_000)
    }
  })

  it('pays the given amount, and each payment is a transfer of its own', async () => {
    const player = await aPlayer(test)
    const order = await anOrder(test, player)
    await pay(player, { code: order.code, amount: 20_000 })
    await pay(player, { code: order.code, amount: null })
    expect(await orderNow(test, player, order.code)).toMatchObject({ status: 'paid_under', credited: 20_000 })
    const transfers = await test.db
      .selectFrom('bank_transaction as bank')
      .innerJoin('payment_order as paid', 'paid.id', 'bank.order_id')
      .select(['bank.state', 'bank.reason'])
      .where('paid.code', '=', order.code)
      .orderBy('bank.id')
      .execute()
    expect(transfers).toEqual([
      { state: 'credited', reason: null },
      { state: 'review', reason: 'order-already-paid' },
    ])
  })

  it('pays a player’s own orders only', async () => {
    const order = await anOrder(test, await aPlayer(test))
    const stranger = await aPlayer(test)
    for (const code of [order.code, 'TCXABCDEFGHJD', '']) {
      expect(await pay(stranger, { code })).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
    }
    expect((await test.call('POST', '/api/sandbox/pay', { body: { code: order.code } })).status).toBe(401)
    expect(await pay(stranger, { code: order.code, amount: 1.5 })).toMatchObject({ status: 422 })
  })

  it('answers the command line what the portal answered, and pays by API key where that is the mode', async () => {
    const player = await aPlayer(test)
    const order = await anOrder(test, player)
    const deps = { db: test.db, portalUrl: url }
    const senderOf = (environment: Record<string, string>) => paymentsWith(environment).sandbox!
    const refused = await sandboxPay(
      { ...deps, sender: senderOf({ SEPAY_WEBHOOK_SECRET: 'another-secret' }) },
      { code: order.code },
    )
    expect(refused.status).toBe(401)
    const unkeyed = await sandboxPay(
      { ...deps, sender: senderOf({ SEPAY_API_KEY: 'another-key' }) },
      { code: order.code },
    )
    expect(unkeyed.status).toBe(401)
    const paid = await sandboxPay({ ...deps, sender: test.deps.payments.sandbox! }, { code: order.code })
    expect(paid).toMatchObject({ status: 200, text: '{"success":true}' })
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it('does not exist outside a demo', async () => {
    const live = await startTestApp({ mode: 'live' })
    await openAccounts(live)
    const player = await aPlayer(live)
    const order = await anOrder(live, player)
    const answer = await live.call('POST', '/api/sandbox/pay', {
      token: player.token,
      body: { code: order.code },
    })
    expect(answer.status).toBe(404)
    await live.close()
  })
})
