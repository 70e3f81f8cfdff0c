import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { usePlanner } from '#tests/support/fixtures.ts'
import { AS_IF_LARGE, mostRowsRead, readWhole, rowsFetched } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import { countStoredOrders, listStoredOrders, type OrderFilter } from './operator-orders.queries.ts'
import { listOrdersOf } from './recharge.queries.ts'
import { findUsualSeconds } from '#server/modules/bank-inbox/index.ts'

/** More than a list reaches, so that reading everything shows. */
const ROWS = 30_000
const ROWS_READ_MAX = 1_000
const PAGE = 25
/** The others order as much. */
const OF_PLAYER = ROWS / 10

const portal = useTestApp()
const planner = usePlanner(portal)
let playerId: string

beforeAll(async () => {
  playerId = (await aPlayer(portal)).id
  // As they lie after years of changes, in no order. Codes of the right shape; their check characters do not matter. No order of channel 3 ran out.
  await planner.owner.query(`SET session_replication_role = replica;
    INSERT INTO payment_order (id, code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr, status,
        credited, created_at, expires_at)
      OVERRIDING SYSTEM VALUE
      SELECT n, 'TCX' || translate(lpad(n::text, 10, '0'), '01', 'AB'), ${playerId} + n % 10, 2 + n % 2,
          10000 * (1 + n % 9), 1, '970436', '001', 'X', '-', CASE WHEN n % 20 = 0 THEN 'expired' ELSE 'paid' END, 0,
          now(), now()
        FROM generate_series(1, ${ROWS}) n ORDER BY md5(n::text)`)
  await planner.owner.query('VACUUM ANALYZE payment_order')
  await planner.owner.query(AS_IF_LARGE)
})

const first = { order: 'asc', from: 0, to: PAGE - 1 } as const
const lastOfState = { order: 'desc', from: ROWS / 20 - PAGE, to: ROWS / 20 - 1 } as const

test.each<OrderFilter>([
  { status: 'expired', channel: 3 },
  { status: 'expired', amount: 20_000 },
  { channel: 1, amount: 20_000 },
  { status: 'review', channel: 2, amount: 20_000 },
])('orders of %o: what nothing or little fits is found in one index', async (filter) => {
  for (const work of [
    () => listStoredOrders(planner.db, filter, first),
    () => countStoredOrders(planner.db, filter),
  ]) {
    const { nodes } = await planner.plansOf(work)
    expect(readWhole(nodes, /^payment_order$/)).toEqual([])
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(ROWS_READ_MAX)
  }
})

test('the usual time to the wallet is read from the last orders alone', async () => {
  const { nodes } = await planner.plansOf(() => findUsualSeconds(planner.db))
  expect(readWhole(nodes, /^payment_order$/)).toEqual([])
  expect(mostRowsRead(nodes)).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test.each<[string, () => Promise<unknown>]>([
  ['of a state', () => listStoredOrders(planner.db, { status: 'expired' }, lastOfState)],
  ['of a player', () => listOrdersOf(planner.db, playerId, { limit: PAGE, offset: OF_PLAYER - PAGE })],
])('the last page of those %s reads no order that is passed over', async (_, work) => {
  const { nodes } = await planner.plansOf(work)
  expect(rowsFetched(nodes, 'payment_order')).toBe(PAGE)
})
