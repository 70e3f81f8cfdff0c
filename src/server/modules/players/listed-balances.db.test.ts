import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { AS_IF_LARGE, mostRowsRead, openPlanner, readWhole, type Planner } from '#tests/support/plans.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { storeChanged, storeNext } from './listed-balances.service.ts'
import { listChangedBalances, selectPlayers } from './players.queries.ts'

const portal = useTestApp()
let rich: TestPlayer
let poor: TestPlayer
let equal: TestPlayer
let planner: Planner | undefined

const { support } = useOperators(portal, { support: 'support' })
beforeAll(async () => {
  rich = await aPlayer(portal, { coins: 900_000 })
  poor = await aPlayer(portal, { coins: 1_000 })
  equal = await aPlayer(portal, { coins: 1_000 })
})
afterAll(() => planner?.close())

/** Everybody, some at a time. */
async function sweep(limit: number): Promise<number> {
  let parts = 0
  for (let after: string | null = '0'; after !== null; parts++)
    after = await storeNext(portal.deps, { after, limit })
  return parts
}

const list = (query: Record<string, unknown>, file = '') => {
  const parameters = Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)])
  const path = `/api/operator/users${file}?${new URLSearchParams(Object.fromEntries(parameters))}`
  return portal.call('GET', path, { token: support.token })
}
const mine = () => [rich, poor, equal].map(({ id }) => id)
const listed = async (direction: 'ASC' | 'DESC') => {
  const { body } = await list({ sort: ['balance', direction], filter: { id: mine() } })
  return (body as { id: string }[]).map(({ id }) => id)
}

const pay = (from: TestPlayer, to: TestPlayer, amount: number) =>
  asOwner(
    portal,
    `SELECT ledger_post('p2p', ${from.walletId}, ${to.walletId}, ${amount}, 'test', gen_random_uuid()::text, NULL, NULL, NULL, NULL)`,
    [],
  )

test('players are listed by balance, equals by registration, either way', async () => {
  expect(await sweep(2)).toBeGreaterThan(1)
  expect(await listed('DESC')).toEqual([rich.id, equal.id, poor.id])
  expect(await listed('ASC')).toEqual([poor.id, equal.id, rich.id])
  // Once more there is nothing to write.
  expect(await storeChanged(portal.deps)).toBe(false)
})

test('a movement and a new player change the order with the next round', async () => {
  await pay(rich, poor, 899_000)
  expect(await storeChanged(portal.deps)).toBe(true)
  expect(await listed('DESC')).toEqual([poor.id, equal.id, rich.id])
  const { id } = await aPlayer(portal)
  await storeChanged(portal.deps)
  expect((await list({ sort: ['balance', 'ASC'], filter: { id: [id] } })).body).toMatchObject([
    { id, balance: 0 },
  ])
  await pay(poor, rich, 899_000)
  await storeChanged(portal.deps)
})

test('what no round saw is made good by the sweep over all players', async () => {
  await portal.db.updateTable('listed_balance').set({ balance: 5 }).where('user_id', '=', rich.id).execute()
  expect(await listed('DESC')).toEqual([equal.id, poor.id, rich.id])
  await sweep(1_000)
  expect(await listed('DESC')).toEqual([rich.id, equal.id, poor.id])
})

test('the list goes on behind a row, each player once, and its file has the order of registration', async () => {
  await sweep(1_000)
  const ids: string[] = []
  for (let after: string | undefined; ;) {
    const query = new URLSearchParams({ sort: '["balance","DESC"]', range: '[0,1]', ...(after && { after }) })
    const answer = await portal.call('GET', `/api/operator/users?${query}`, { token: support.token })
    ids.push(...(answer.body as { id: string }[]).map(({ id }) => id))
    after = answer.headers['x-next-after'] as string | undefined
    if (after === undefined) break
  }
  const { rows } = await portal.db
    .selectFrom('users')
    .select('id')
    .execute()
    .then((all) => ({ rows: all.map(({ id }) => id) }))
  expect([...ids].sort()).toEqual([...rows].sort())
  const { body } = await list({ sort: ['balance', 'DESC'], filter: { id: mine() } }, '.csv')
  const names = String(body)
    .trimEnd()
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[1])
  expect(names).toEqual([equal.username, poor.username, rich.username])
})

test('among very many players a page is read by its index, also deep in the list', async () => {
  planner = await openPlanner(portal)
  await planner.owner.query(`
    INSERT INTO ledger_account (id, kind, user_id) SELECT 1000000 + n, 'user_wallet', 1000000 + n FROM generate_series(1, 20000) n;
    INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
      SELECT 1000000 + n, 'dong' || n, '-', '1', 1000000 + n FROM generate_series(1, 20000) n;
    INSERT INTO listed_balance SELECT 1000000 + n, n % 500 FROM generate_series(1, 20000) n;
    ANALYZE; ${AS_IF_LARGE}`)
  const big = /^(users|ledger_account|listed_balance)$/
  for (const after of [undefined, '1010000']) {
    for (const order of ['asc', 'desc'] as const) {
      const page = { sort: 'balance', order, from: 0, to: 24, after } as const
      const { nodes } = await planner.plansOf(() => selectPlayers(portalDb(), {}, page))
      expect(readWhole(nodes, big)).toEqual([])
      expect(mostRowsRead(nodes)).toBeLessThanOrEqual(100)
    }
  }
  const changed = await planner.plansOf(() =>
    listChangedBalances(portalDb(), () => sql<boolean>`false`, 10, 100),
  )
  expect(readWhole(changed.nodes, big)).toEqual([])
})

const portalDb = () => (planner as Planner).db
