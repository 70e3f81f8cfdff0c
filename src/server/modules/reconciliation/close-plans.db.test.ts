import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { useTestApp } from '#tests/support/app.ts'
import { listCloseRows, countCloses, listCloses, selectAccountDays } from './daily-close.queries.ts'

/** A hundred days of a hundred transfers each, and ten years of closes of three accounts. */
const DAYS = 100
const A_DAY = 100
const CREDITS = 20_000
const BUSY = 2_000

const portal = useTestApp()
let owner: pg.Client
let db: Db
let sent: CompiledQuery[] = []

beforeAll(async () => {
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  const pool = new pg.Pool({ connectionString: portal.appUrl, max: 1 })
  db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  })
  await owner.query(`SET session_replication_role = replica;
    INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, booked_at, state, reason)
      SELECT (n % 3)::text, 'in', 'FT' || n, 50000, timestamptz '2026-01-01 05:00Z' + (n / ${A_DAY}) * interval '1 day', 'review', 'no-code'
        FROM generate_series(0, ${DAYS * A_DAY - 1}) n;
    INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, booked_at, status, bank_transaction_id)
      SELECT 'sepay', id::text, 'valid', 'in', amount, account_number, booked_at, 'review', id FROM bank_transaction;
    INSERT INTO daily_close (account_number, day, revision, status, differences, arrived_count, arrived_vnd, told_vnd,
        left_vnd, credited_vnd, review_vnd, refunded_vnd, ignored_vnd, due_coins, ledger_coins, order_coins, direct_coins, open_events)
      SELECT account::text, date '2016-01-01' + n, 1, CASE WHEN n % 500 = 0 THEN 'red' ELSE 'green' END,
             CASE WHEN n % 500 = 0 THEN '{coins}'::text[] ELSE '{}' END, n % 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        FROM generate_series(0, 3649) n, generate_series(0, 2) account;
    -- Years of credits, and one day on which two thousand came.
    INSERT INTO payment_order (id, code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr, status,
        credited, expires_at) OVERRIDING SYSTEM VALUE
      SELECT n, 'TCX' || translate(lpad(n::text, 10, '0'), '01', 'AB'), 1, 2, 50000, 1, '970436', '9', 'X', '-', 'paid', 50000, now()
        FROM generate_series(1, ${CREDITS}) n;
    INSERT INTO ledger_transfer (id, kind, debit_account, credit_account, amount, source_type, source_id)
      OVERRIDING SYSTEM VALUE SELECT n, 'recharge', 9000000000000007, 1, 50000, 'bank_transaction', (100000 + n)::text
        FROM generate_series(1, ${CREDITS}) n;
    INSERT INTO bank_transaction (id, account_number, direction, bank_ref, amount, booked_at, state, order_id, user_id, credited, transfer_id)
      OVERRIDING SYSTEM VALUE SELECT 100000 + n, '9', 'in', 'FT' || n, 50000,
          timestamptz '2025-06-01 05:00Z' + CASE WHEN n <= ${BUSY} THEN interval '0' ELSE n * interval '10 min' END, 'credited', n, 1, 50000, n
        FROM generate_series(1, ${CREDITS}) n;
    ANALYZE`)
})
afterAll(async () => {
  await owner.end()
  await db.destroy()
})

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Actual Rows': number; Plans?: Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

async function nodesFor(work: () => Promise<unknown>): Promise<Plan[]> {
  sent = []
  await work()
  const nodes: Plan[] = []
  for (const query of sent) {
    const { rows } = await owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.sql}`, [...query.parameters])
    nodes.push(...nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan))
  }
  return nodes
}

const PAGE = { order: 'desc', from: 0, to: 24 } as const

test.each<[string, number, () => Promise<unknown>]>([
  [
    'one day of all accounts',
    A_DAY + 1,
    () => selectAccountDays(db, { day: '2026-02-01', accountNumbers: ['0', '1', '2'] }),
  ],
  [
    'the rows of one account on one day that do not agree',
    A_DAY + 1,
    () => listCloseRows(db, { day: '2026-02-01', accountNumber: '1', provider: 'sepay' }),
  ],
  ['the newest closes', 25, () => listCloses(db, {}, PAGE)],
  ['the red ones', 25, () => listCloses(db, { status: 'red' }, PAGE)],
  ['those of one account', 30, () => listCloses(db, { account_number: '1' }, PAGE)],
  ['one day’s', 25, () => listCloses(db, { day: '2020-02-01' }, PAGE)],
  ['those not compared', 25, () => listCloses(db, { status: 'not-compared' }, PAGE)],
  ['how many are red', 30, () => countCloses(db, { status: 'red' })],
])('%s are read by index and no more than is needed', async (_, rows, work) => {
  const nodes = await nodesFor(work)
  const tables = /^(bank_transaction|payment_event|daily_close)$/
  const whole = nodes.filter(
    (node) => node['Node Type'] === 'Seq Scan' && tables.test(node['Relation Name'] ?? ''),
  )
  expect(whole).toEqual([])
  expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThanOrEqual(rows)
})

test('a busy day is closed from its own transfers, orders and credits, not from all there ever were', async () => {
  const close = () => selectAccountDays(db, { day: '2025-06-01', accountNumbers: ['9'] })
  expect((await close()).map(({ figures }) => figures)).toMatchObject([
    { arrived_count: BUSY, ledger_coins: BUSY * 50_000, order_coins: BUSY * 50_000 },
  ])
  const nodes = await nodesFor(close)
  expect(nodes.map((node) => node['Relation Name'])).toContain('ledger_transfer')
  expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBe(BUSY)
})

test('a day’s figures are its own', async () => {
  const [first] = await selectAccountDays(db, { day: '2026-02-01', accountNumbers: ['0'] })
  expect(first?.figures).toMatchObject({ arrived_count: 33, told_vnd: 33 * 50_000, review_vnd: 33 * 50_000 })
})
