import { afterEach, describe, expect, test } from 'vitest'
import { useOperators, usePollingApp } from '#tests/support/fixtures.ts'
import { anOrder, balanceOf, orderNow } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aPlayer } from '#tests/support/players.ts'

const polling = usePollingApp('momo')
const { cashier, owner } = useOperators(polling.test, { cashier: 'cashier', owner: 'owner' })
afterEach(() => expectReconciled(polling.test))

const query = (code: string, key?: string) =>
  polling.test.call('POST', `/api/operator/recharge-orders/${code}/query`, {
    token: cashier.token,
    body: { reason: 'Khách nói đã trả' },
    ...(key === undefined ? {} : { key }),
  })
const detail = async (code: string) =>
  (await polling.test.call('GET', `/api/operator/recharge-orders/${code}`, { token: cashier.token })).body
const queries = () => polling.bank.calls.filter((call) => call.endsWith('/query')).length

async function aMomoOrder() {
  const player = await aPlayer(polling.test)
  return { player, order: await anOrder(polling.test, player, { channel: 1 }) }
}

/** As if the last question had been a while ago. */
const aWhileAgo = (code: string) =>
  asOwner(
    polling.test,
    `UPDATE payment_checkout SET last_query_at = last_query_at - interval '6 seconds'
      WHERE order_id = (SELECT id FROM payment_order WHERE code = $1)`,
    [code],
  )

describe('a query to the provider about an order', () => {
  test('takes in a payment whose notification never came, and is in the audit trail', async () => {
    const { player, order } = await aMomoOrder()
    expect((await detail(order.code)).checkout).toEqual({
      provider: 'momo',
      state: 'open',
      last_query_at: null,
    })
    polling.bank.momo.settle(order.code)
    const { status, body } = await query(order.code)
    expect([status, body]).toEqual([200, { provider: 'momo', state: 'paid', payments: 1, found: 1 }])
    expect(await balanceOf(polling.test, player)).toBe(50_000)
    expect((await orderNow(polling.test, player, order.code)).status).toBe('paid')
    expect((await detail(order.code)).checkout).toMatchObject({
      state: 'done',
      last_query_at: expect.any(String),
    })
    const filter = encodeURIComponent('{"action":"recharge-orders.query"}')
    const trail = await polling.test.call('GET', `/api/operator/audit?filter=${filter}`, {
      token: owner.token,
    })
    expect(trail.body[0]).toMatchObject({
      subject: { type: 'payment_order', id: order.code },
      reason: 'Khách nói đã trả',
      details: { provider: 'momo', checkout: 'open', order: 'pending' },
    })
    // Over, and queried once more: nothing is credited twice.
    await aWhileAgo(order.code)
    expect((await query(order.code)).body).toMatchObject({ state: 'paid', payments: 1, found: 0 })
    expect(await balanceOf(polling.test, player)).toBe(50_000)
    expect((await detail(order.code)).checkout.state).toBe('done')
  })

  test('is paced for each order, and is sent once for a key', async () => {
    const { order } = await aMomoOrder()
    const before = queries()
    expect((await query(order.code, 'one-question')).body).toMatchObject({ state: 'pending', found: 0 })
    expect((await query(order.code, 'one-question')).body).toEqual({
      provider: 'momo',
      state: null,
      payments: 0,
      found: 0,
    })
    expect(await query(order.code)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('vừa được hỏi') },
    })
    expect(queries()).toBe(before + 1)
    await aWhileAgo(order.code)
    expect((await query(order.code)).status).toBe(200)
    expect(queries()).toBe(before + 2)
  })

  test('reports that the provider does not answer, and schedules the next query', async () => {
    const { order } = await aMomoOrder()
    polling.bank.failNext('error')
    expect((await query(order.code)).body).toMatchObject({ state: 'unanswered', payments: 0 })
    const { next_query_at, state } = await polling.test.db
      .selectFrom('payment_checkout')
      .select(['next_query_at', 'state'])
      .where('provider_order', '=', order.code)
      .executeTakeFirstOrThrow()
    expect([state, next_query_at !== null]).toEqual(['open', true])
  })

  test('is refused where no provider can be queried, and for an order that does not exist', async () => {
    const player = await aPlayer(polling.test)
    const { code } = await anOrder(polling.test, player)
    expect((await detail(code)).checkout).toBeNull()
    expect(await query(code)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Không nhà cung cấp nào') },
    })
    expect((await query('TCXAAAAAAAAAA')).status).toBe(404)
  })
})
