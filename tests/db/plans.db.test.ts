import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fillDatabase } from '#server/filling/index.ts'
import { usernameOf } from '#server/filling/names.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { listsOf, valuesFor, withQuery } from '#tests/support/list-questions.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import type { PlanNode } from '#tests/support/plans.ts'
import type { TestPlayer } from '#tests/support/players.ts'

/*
 * Every statement that requests send, planned on a filled database by PostgreSQL as if reading a table page by page were
 * dear, and once more as if it were not allowed: what is still read from end to end has no index that serves it.
 */

const SIZE = { players: 2_000, entries: 10, seed: 1 }
const USERNAME = usernameOf(SIZE, 700)

/** Tables that stay small however many players there are: what operators make, and figures of each hour. */
const SMALL = new Set(
  `audit_head audit_line categories content_version maintenance picture posts proposal ranking_groups ranking_snapshots servers settings
   staff_invite statistics_active statistics_hour teams tournaments user_roles`.split(/\s+/),
)

let portal: TestApp
let player: TestPlayer
let owner: TestOperator
const sent = new Map<string, { values: unknown[]; by: string }>()
let request = ''

beforeAll(async () => {
  portal = await startTestApp({ mode: 'demo' })
  const { password } = await fillDatabase(portal.deps, portal.ownerUrl, SIZE)
  await openAccounts(portal)
  owner = await anOperator(portal, 'owner')
  const login = await portal.call('POST', '/api/auth/login', { body: { username: USERNAME, password } })
  player = {
    id: '701',
    walletId: '701',
    username: USERNAME,
    password,
    address: '',
    token: login.body.access_token,
  }
}, 60_000)
afterAll(() => portal.close())

/** Collects the statements of the test, each once with the values it was first sent with. */
beforeEach(() => {
  sent.clear()
  // oxlint-disable-next-line typescript/unbound-method
  const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given
    const text = typeof first === 'string' ? first : (first as { text?: string }).text
    const values = Array.isArray(second) ? second : ((first as { values?: unknown[] }).values ?? [])
    if (typeof text === 'string' && /^\s*(select|insert|update|delete|with)\b/i.test(text) && !sent.has(text))
      sent.set(text, { values, by: request })
    return query.apply(this, given)
  } as typeof pg.Client.prototype.query)
})
afterEach(() => void vi.restoreAllMocks())

type Plan = PlanNode & { 'Index Name'?: string; Filter?: string; Plans?: Plan[] }

const isSeqScan = (node: PlanNode) => node['Node Type'] === 'Seq Scan'

/** Tables read row by row. */
const readByRow = (plan: Plan): string[] => [
  ...(isSeqScan(plan) && plan['Relation Name'] !== undefined ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(readByRow),
]

/** Tables read along a whole index that no condition narrows. A partial index is narrow by itself. */
function readAlong(node: Plan, partial: ReadonlySet<string>, isLimited = false): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index = '' } = node
  const isOpen = type.startsWith('Index') && node['Index Cond'] === undefined && !partial.has(index)
  const isWhole = isOpen && (!isLimited || node.Filter !== undefined)
  // What sorts or adds up takes all rows, however few of its own are wanted.
  const passesOn = type === 'Limit' || (isLimited && !/^(Sort|Aggregate|Hash|WindowAgg)/.test(type))
  const below = (node.Plans ?? []).flatMap((plan) => readAlong(plan, partial, passesOn))
  return table !== undefined && isWhole ? [table, ...below] : below
}

async function namesOf(client: pg.Client, query: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(query)
  return new Set(rows.map(({ name }) => name))
}

/** The statements that read a growing table from end to end, with the request that sent them. */
async function wholeReads(): Promise<string[]> {
  vi.restoreAllMocks()
  return asOwner(portal.ownerUrl, async (client) => {
    const filled = await namesOf(
      client,
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > 100`,
    )
    const partial = await namesOf(
      client,
      'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL',
    )
    const found: string[] = []
    for (const [text, { values, by }] of sent) {
      const planned = async (settings: string) => {
        await client.query(settings)
        const answer = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values)
        return answer.rows[0]['QUERY PLAN'][0].Plan as Plan
      }
      const dear = await planned(
        'SET enable_seqscan = on; SET seq_page_cost = 1000; SET random_page_cost = 1',
      )
      const forbidden = await planned('SET enable_seqscan = off')
      const tables = [
        ...[...readByRow(dear), ...readAlong(dear, partial)].filter((table) => filled.has(table)),
        // Of a table without rows nothing is dear; the index has to be there all the same.
        ...readByRow(forbidden).filter((table) => !filled.has(table)),
      ]
      for (const table of new Set(tables))
        if (!SMALL.has(table)) found.push(`${by}: ${table}: ${text.replaceAll(/\s+/g, ' ')}`)
    }
    return found
  })
}

const call = async (method: 'GET' | 'POST', path: string, how: Parameters<TestApp['call']>[2]) => {
  request = `${method} ${path}`
  return portal.call(method, path, how)
}

/** Ids of the filled database in the order of its parts, for addresses that name one thing. */
const idsIn = (path: string) => path.replaceAll(/\{[^}]+\}/g, () => '7')

test('every read call of players and operators, with each filter', async () => {
  const document = (await call('GET', '/api/openapi.json', {})).body
  const usual = { q: USERNAME, user: USERNAME, user_id: '701', amount: 100_000 }
  for (const path of Object.keys(document.paths as object)) {
    const token = path.startsWith('/operator') ? owner.token : player.token
    // A stream does not end. A file reads its list in batches that are half of this database, so what is joined is read whole.
    if (document.paths[path].get && !/\/events$|\.csv$/.test(path))
      await call('GET', `/api${idsIn(path)}`, { token })
  }
  for (const { path, filters } of listsOf(document)) {
    const first = await call('GET', `/api${path}`, { token: owner.token })
    const row = (first.body as Record<string, unknown>[])[0] ?? {}
    for (const [name, schema] of filters)
      for (const value of valuesFor(name, schema, { row, usual }).slice(0, 2))
        await call('GET', `/api${withQuery(path, { filter: { [name]: value } })}`, { token: owner.token })
  }
  for (const q of [USERNAME, 'tuan', 'TCXAA', 'FT000', '849'])
    await call('GET', `/api/operator/search?q=${q}`, { token: owner.token })
  for (const query of ['page=2&items_per_page=3', 'filter_type=transfer_in&sort=amount', 'search=nap'])
    await call('GET', `/api/user/transactions?${query}`, { token: player.token })
  await call('GET', '/api/groups/7/entries?server=2', { token: player.token })
  expect(sent.size).toBeGreaterThan(150)
  expect(await wholeReads()).toEqual([])
}, 60_000)

test('signing in, registering, recharging, paying and buying', async () => {
  const { username, password, token } = player
  const done = async (path: string, body: object) => {
    const answer = await call('POST', path, { token, body, key: randomUUID() })
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body])
  }
  await done('/api/auth/login', { username, password })
  await done('/api/auth/verify', { access_token: token })
  const phone = '0987654321'
  await done('/api/auth/register', {
    username: 'nguoimoi',
    name: 'nguoimoi',
    password,
    phone,
    server_id: '1',
  })
  await done('/api/user/transfer/payee', { payee: usernameOf(SIZE, 3) })
  await done('/api/user/transfer', { payee: usernameOf(SIZE, 3), amount: 1_000 })
  await done('/api/exchange/store', { character_id: '701', amount: 10_000 })
  const order = await anOrder(portal, player)
  await deliver(portal, aNotification({ content: order.code }))
  expect(sent.size).toBeGreaterThan(40)
  expect(await wholeReads()).toEqual([])
}, 60_000)

test('a missing index is noticed', async () => {
  await asOwner(portal.ownerUrl, (client) => client.query('DROP INDEX delivery_user'))
  await call('GET', '/api/user/deliveries', { token: player.token })
  expect((await wholeReads()).map((line) => line.split(': ')[1])).toContain('delivery')
})
