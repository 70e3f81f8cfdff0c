import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startPollingApp, type PollingApp } from '#tests/support/polled-providers.ts'
import { anOrder, balanceOf, openAccounts, orderNow } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'

let asked: PollingApp
let cashier: TestOperator
let owner: TestOperator
beforeAll(async () => {
  asked = await startPollingApp(['momo'])
  await openAccounts(asked.test)
  cashier = await anOperator(asked.test, 'cashier')
  owner = await anOperator(asked.test, 'owner')
})
afterAll(() => asked.close())
afterEach(() => expectReconciled(asked.test))

const query = (code: string, key?: string) =>
  asked.test.call('POST', `/api/operator/recharge-orders/${code}/query`, {
    token: cashier.token,
    body: { reason: 'Khách nói đã trả' },
    ...(key === undefined ? {} : { key }),
  })
const detail = async (code: string) =>
  (await asked.test.call('GET', `/api/operator/recharge-orders/${code}`, { token: cashier.token })).body
const questions = () => asked.bank.calls.filter((call) => call.endsWith('/query')).length

async function aMomoOrder() {
  const player = await aPlayer(asked.test)
  return { player, order: await anOrder(asked.test, player, { channel: 1 }) }
}

/** As if the last question had been a while ago. */
const aWhileAgo = (code: string) =>
  asOwner(
    asked.test,
    `UPDATE payment_checkout SET last_query_at = last_query_at - interval '6 seconds'
      WHERE order_id = (SELECT id FROM payment_order WHERE code = $1)`,
    [code],
  )

describe('asking the provider about an order', () => {
  test('takes in a payment whose notification never came, says so, and is written down', async () => {
    const { player, order } = await aMomoOrder()
    expect((await detail(order.code)).checkout).toEqual({
      provider: 'momo',
      state: 'open',
      last_query_at: null,
    })
    asked.bank.momo.settle(order.code)
    const { status, body } = await query(order.code)
    expect([status, body]).toEqual([200, { provider: 'momo', state: 'paid', payments: 1, found: 1 }])
    expect(await balanceOf(asked.test, player)).toBe(50_000)
    expect((await orderNow(asked.test, player, order.code)).status).toBe('paid')
    expect((await detail(order.code)).checkout).toMatchObject({
      state: 'done',
      last_query_at: expect.any(String),
    })
    const filter = encodeURIComponent('{"action":"recharge-orders.query"}')
    const trail = await asked.test.call('GET', `/api/operator/audit?filter=${filter}`, { token: owner.token })
    expect(trail.body[0]).toMatchObject({
      subject: { type: 'payment_order', id: order.code },
      reason: 'Khách nói đã trả',
      details: { provider: 'momo', checkout: 'open', order: 'pending' },
    })
    // Over, and asked about once more: nothing is credited twice.
    await aWhileAgo(order.code)
    expect((await query(order.code)).body).toMatchObject({ state: 'paid', payments: 1, found: 0 })
    expect(await balanceOf(asked.test, player)).toBe(50_000)
    expect((await detail(order.code)).checkout.state).toBe('done')
  })

  test('is paced for each order, and asks once for a key', async () => {
    const { order } = await aMomoOrder()
    const before = questions()
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
    expect(questions()).toBe(before + 1)
    await aWhileAgo(order.code)
    expect((await query(order.code)).status).toBe(200)
    expect(questions()).toBe(before + 2)
  })

  test('says so when the provider does not answer, and has it asked again later', async () => {
    const { order } = await aMomoOrder()
    asked.bank.failNext('error')
    expect((await query(order.code)).body).toMatchObject({ state: 'unanswered', payments: 0 })
    const { next_query_at, state } = await asked.test.db
      .selectFrom('payment_checkout')
      .select(['next_query_at', 'state'])
      .where('provider_order', '=', order.code)
      .executeTakeFirstOrThrow()
    expect([state, next_query_at !== null]).toEqual(['open', true])
  })

  test('is refused where nobody can be asked, and for an order that does not exist', async () => {
    const player = await aPlayer(asked.test)
    const { code } = await anOrder(asked.test, player)
    expect((await detail(code)).checkout).toBeNull()
    expect(await query(code)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Không nhà cung cấp nào') },
    })
    expect((await query('TCXAAAAAAAAAA')).status).toBe(404)
  })
})
