import { beforeAll, expect, test } from 'vitest'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { useTestApp } from '#tests/support/app.ts'
import { usePlanner } from '#tests/support/fixtures.ts'
import { AS_IF_LARGE, rowsFetched } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import { selectDeliveries } from './deliveries.queries.ts'
import { listStoredDeliveries } from './operator.queries.ts'

const ROWS = 30_000
/** The others buy as much. */
const OF_PLAYER = ROWS / 10
const PAGE = 25

const portal = useTestApp()
const planner = usePlanner(portal)
let playerId: string

beforeAll(async () => {
  playerId = (await aPlayer(portal)).id
  await planner.owner
    .query(`INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id,
        character_name, goods, state, settled_at, created_at)
      SELECT gen_random_uuid(), 'exchange', ${playerId}, 100, 's1', 'a', 'c', 'C', '[]', 'delivered', now(),
          now() - n * interval '1 min' FROM generate_series(1, ${ROWS}) n`)
  await planner.owner.query(`SET session_replication_role = replica;
    INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, state,
        settled_at, created_at)
      SELECT gen_random_uuid(), 'exchange', ${playerId} + n % 10, 100, 's1', 'a', 'c', 'C', '[]',
          CASE WHEN n % 3 = 0 THEN 'refunded' ELSE 'delivered' END, now(), now() - n * interval '1 min'
        FROM generate_series(1, ${ROWS}) n`)
  await planner.owner.query('VACUUM ANALYZE delivery')
  await planner.owner.query(AS_IF_LARGE)
})

const last = { order: 'desc', from: LIST_REACH_MAX - PAGE, to: LIST_REACH_MAX - 1 } as const
const lastOfPlayer = { order: 'desc', from: OF_PLAYER - PAGE, to: OF_PLAYER - 1 } as const

test.each<[string, () => Promise<unknown>]>([
  ['a player’s', () => selectDeliveries(planner.db, playerId, { limit: PAGE, offset: OF_PLAYER - PAGE })],
  [
    'a player’s as an operator sees them',
    () => listStoredDeliveries(planner.db, { user_id: playerId }, lastOfPlayer),
  ],
  ['all', () => listStoredDeliveries(planner.db, {}, last)],
  ['those of a state', () => listStoredDeliveries(planner.db, { state: 'refunded' }, last)],
])('%s: the last page reads no delivery that is passed over', async (_, work) => {
  const { nodes } = await planner.plansOf(work)
  expect(rowsFetched(nodes, 'delivery')).toBe(PAGE)
})
