import { Kysely, PostgresDialect, type LogEvent } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { useTestApp } from '#tests/support/app.ts'
import { AS_IF_LARGE } from '#tests/support/plans.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { listStatement, type StatementQuery } from './statements.service.ts'

/*
 * What a statement costs: always the same few statements, each of which reads by index, whatever other players did.
 */
const portal = useTestApp()
let pool: Pool
let watched: Db
const sent: { sql: string; parameters: readonly unknown[] }[] = []
let player: TestPlayer
/** Has a long statement. */
let other: TestPlayer

const OTHERS_ENTRIES = 2_500

beforeAll(async () => {
  pool = new Pool({ connectionString: portal.appUrl, max: 1 })
  pool.on('error', () => {})
  watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log({ query }: LogEvent) {
      sent.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  player = await aPlayer(portal, { coins: 100_000, isActivated: true })
  other = await aPlayer(portal, { coins: 100_000 })
  const owner = new Pool({ connectionString: portal.ownerUrl, max: 1 })
  owner.on('error', () => {})
  await owner.query(`
    SELECT ledger_post('p2p', ${player.walletId}, ${other.walletId}, 1, 'test', 'p' || n, NULL, NULL, NULL, NULL)
      FROM generate_series(1, 60) AS n;
    SELECT ledger_post('adjustment', 9000000000000001, ${other.walletId}, n, 'test', 'o' || n, NULL, NULL, NULL, NULL)
      FROM generate_series(1, ${OTHERS_ENTRIES}) AS n`)
  // Numbers for the planner, as autovacuum has them on a real installation.
  await owner.query('VACUUM ANALYZE')
  await owner.end()
})
afterAll(() => watched.destroy())

type PageQuery = StatementQuery & { page?: number; items_per_page?: number }

/** The statements that one page takes. */
async function statementsOf(query: PageQuery, whose = player): Promise<typeof sent> {
  sent.length = 0
  await listStatement({ ...portal.deps, db: watched }, whose.id, query)
  return [...sent]
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Actual Loops': number
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

async function plansOf(query: PageQuery, whose = player): Promise<Plan[]> {
  const nodes: Plan[] = []
  for (const { sql, parameters } of await statementsOf(query, whose)) {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      [...parameters],
    )
    nodes.push(...nodesOf(rows[0]!['QUERY PLAN'][0].Plan))
  }
  return nodes
}

test('a page takes one statement, however many rows it has, and two by amount or behind the last one', async () => {
  expect(await statementsOf({ items_per_page: 1 })).toHaveLength(1)
  expect(await statementsOf({ items_per_page: 60 })).toHaveLength(1)
  expect(await statementsOf({ items_per_page: 60, search: 'a', filter_type: 'transfer_out' })).toHaveLength(1)
  expect(await statementsOf({ filter_type: 'gift' })).toHaveLength(1)
  expect(await statementsOf({ sort: 'amount' })).toHaveLength(2)
  expect(await statementsOf({ page: 900 })).toHaveLength(2)
})

describe('only the wallet’s own rows are read', () => {
  test.for<[string, PageQuery]>([
    ['the first page', {}],
    ['a later page', { page: 3 }],
    ['the oldest first', { order: 'asc' }],
    ['by amount', { sort: 'amount' }],
    ['by amount, the least first', { sort: 'amount', order: 'asc' }],
    ['of one type', { filter_type: 'activation' }],
    ['of one type and sign', { filter_type: 'transfer_out' }],
    ['of some days', { filter_from: '2026-01-01', filter_to: '2100-01-01' }],
    ['found by name', { search: 'nguoi' }],
    [
      'of one type, some days, found by name, by amount',
      {
        filter_type: 'transfer_out',
        filter_from: '2026-01-01',
        search: 'nguoi',
        sort: 'amount',
      },
    ],
  ])('%s', async ([, query]) => {
    const nodes = await plansOf(query)
    const ledger = nodes.filter((node) => /^ledger_(entry|transfer)$/.test(node['Relation Name'] ?? ''))
    expect(ledger.length).toBeGreaterThan(0)
    expect(ledger.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    const rowsRead = ledger.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    )
    expect(Math.max(...rowsRead)).toBeLessThanOrEqual(70)
  })
})

test.for<[string, PageQuery]>([
  ['the newest first', {}],
  ['by amount', { sort: 'amount' }],
])('a late page of a long statement reads its own rows only: %s', async ([, query]) => {
  await pool.query(AS_IF_LARGE)
  const nodes = await plansOf({ ...query, page: OTHERS_ENTRIES / 20 }, other)
  const read = nodes.filter((node) => node['Relation Name'] === 'ledger_entry')
  expect(read.map((node) => node['Node Type'])).toContain('Index Only Scan')
  const fetched = read.filter((node) => node['Node Type'] !== 'Index Only Scan')
  expect(fetched.map((node) => node['Actual Rows'] * node['Actual Loops'])).toEqual([20])
})
