import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIST_REACH_MAX } from '#contract/operator/list.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { mostRows, openPlanner, readWhole, type Planner } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import { countStoredOrders, listStoredOrders, type OrderFilter } from './operator-orders.queries.ts'

/** More than a list reaches, so that reading everything shows. */
const ORDERS = 30_000

let portal: TestApp
let planner: Planner

beforeAll(async () => {
  portal = await startTestApp()
  const player = await aPlayer(portal)
  planner = await openPlanner(portal)
  // Codes of the right shape; their check characters do not matter here.
  await planner.owner.query(`INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin,
        account_number, account_name, qr, status, expires_at)
      SELECT 'TCX' || translate(lpad(n::text, 10, '0'), '01', 'AB'), ${player.id}, 2 + n % 2, 10000 * (1 + n % 9), 1,
          '970436', '001', 'X', '-', CASE WHEN n % 100 = 0 THEN 'expired' ELSE 'paid' END, now()
        FROM generate_series(1, ${ORDERS}) n;
    ANALYZE payment_order`)
})
afterAll(async () => {
  await planner.close()
  await portal.close()
})

test.each<OrderFilter>([
  {},
  { status: 'expired' },
  { status: 'review' },
  { channel: 1 },
  { channel: 3, status: 'paid' },
  { amount: 40_000 },
  { amount: 40_001 },
  { code: 'TCX7K2QF9XAMM' },
  { userId: '1' },
])('orders by %o are read by index, from either end', async (filter) => {
  for (const order of ['asc', 'desc'] as const) {
    const page = () => listStoredOrders(planner.db, filter, { order, from: 200, to: 224 })
    const { nodes } = await planner.plansOf(page)
    expect(readWhole(nodes, /^payment_order$/)).toEqual([])
    expect(mostRows(nodes)).toBeLessThanOrEqual(500)
  }
})

test('orders are counted no further than a list reaches', async () => {
  const count = () => countStoredOrders(planner.db, {})
  expect(await count()).toBe(LIST_REACH_MAX)
  expect(mostRows((await planner.plansOf(count)).nodes)).toBeLessThanOrEqual(LIST_REACH_MAX)
})
