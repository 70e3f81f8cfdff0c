import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { fillDatabase } from '#server/filling/index.ts'
import { usernameOf } from '#server/filling/plan.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import { backupDatabase } from '#server/platform/backup/backup.ts'
import { restoreDatabase } from '#server/platform/backup/restore.ts'
import { openLog } from '#server/platform/log/log.ts'
import { emptyDatabase } from '#tests/support/postgres.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import type { TestPlayer } from '#tests/support/players.ts'

const SIZE = { players: 500, entries: 10, seed: 3 }
const username = usernameOf(SIZE, 100)

const portal = useTestApp({ mode: 'demo' })
let player: TestPlayer
let before: string[]

/** What the two tables have: columns, keys, indexes, triggers and rights. Where they lie stays out. */
const shapeOf = () =>
  asOwner(portal.ownerUrl, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      WITH named AS (SELECT oid, relname, relacl, relowner FROM pg_class WHERE relname IN ('ledger_entry', 'sign_in'))
      SELECT relname || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || attnotnull || attidentity::text AS line
        FROM named JOIN pg_attribute ON attrelid = named.oid AND attnum > 0
      UNION ALL
      SELECT relname || ' ' || conname || ' ' || pg_get_constraintdef(k.oid)
        FROM named JOIN pg_constraint k ON conrelid = named.oid
      UNION ALL
      SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM named JOIN pg_index ON indrelid = named.oid
      UNION ALL
      SELECT pg_get_triggerdef(t.oid) FROM named JOIN pg_trigger t ON tgrelid = named.oid AND NOT tgisinternal
      UNION ALL
      SELECT relname || ' ' || grantee::regrole || ' ' || privilege_type FROM named, aclexplode(relacl) WHERE grantee <> relowner
      UNION ALL
      SELECT 'sequence ' || pg_get_serial_sequence('sign_in', 'id')`)
    return rows.map(({ line }) => line).sort()
  })

async function run(file: 'split' | 'join'): Promise<void> {
  const texts = await Promise.all(
    ['rebuild', file].map((name) => readFile(`deploy/partitions/${name}.sql`, 'utf8')),
  )
  // One query, as `psql -1` runs the files: all of it or nothing.
  await asOwner(portal.ownerUrl, (client) => client.query(texts.join('\n')))
}

/** A recharge, a purchase, a payment and a sign-in, after which the books are sound. */
async function trade(): Promise<void> {
  const order = await anOrder(portal, player)
  await deliver(portal, aNotification({ content: order.code }))
  const { token, password } = player
  for (const [path, body] of [
    ['/api/exchange/store', { character_id: '101', amount: 10_000 }],
    ['/api/user/transfer', { payee: usernameOf(SIZE, 3), amount: 1_000 }],
    ['/api/auth/login', { username, password }],
  ] as const) {
    const answer = await portal.call('POST', path, { token, body, key: randomUUID() })
    expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body])
  }
  expect((await reconcile(portal.db)).filter(({ count }) => count !== 0)).toEqual([])
}

const refused = (statement: string) =>
  asOwner(portal.ownerUrl, (client) => client.query(statement)).then(
    () => 'nothing',
    (error: { code: string }) => error.code,
  )

beforeAll(async () => {
  const { password } = await fillDatabase(portal.deps, portal.ownerUrl, SIZE)
  await openAccounts(portal)
  const login = await portal.call('POST', '/api/auth/login', { body: { username, password } })
  player = { id: '101', walletId: '101', username, password, address: '', token: login.body.access_token }
  before = await shapeOf()
}, 60_000)

test('split, the tables have all they had, and the portal works on them', async () => {
  await run('split')
  const expected = before
    .map((line) => line.replace(/^(sign_in sign_in_pkey PRIMARY KEY) \(id\)/, '$1 (id, at)'))
    .map((line) => line.replace(/(sign_in_pkey ON public\.sign_in USING btree) \(id\)/, '$1 (id, at)'))
  expect(await shapeOf()).toEqual(expected.sort())
  const { rows } = await sql<{ parts: string }>`
    SELECT count(*) AS parts FROM pg_inherits WHERE inhparent IN ('ledger_entry'::regclass, 'sign_in'::regclass)`.execute(
    portal.db,
  )
  expect(rows).toEqual([{ parts: String(16 + 41 + 1) }])
  await trade()
})

test('split, every guard of the ledger holds, also on a single partition', async () => {
  const entry =
    '(account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)'
  const again = `INSERT INTO ledger_entry ${entry} SELECT account_id, %, kind, amount, balance_before, balance_after, created_at
                   FROM ledger_entry WHERE account_id = 101 AND account_version = 1`
  const answers = {
    'the same number': await refused(
      again.replace('%', 'account_version, (SELECT min(id) FROM ledger_transfer WHERE id <> transfer_id)'),
    ),
    'the same side': await refused(again.replace('%', '99999, transfer_id')),
    'no transfer': await refused(again.replace('%', '99999, 999999999')),
    change: await refused('UPDATE ledger_entry SET amount = amount + 1'),
    'change of a part': await refused('UPDATE ledger_entry_07 SET amount = amount + 1'),
    deletion: await refused('DELETE FROM ledger_entry'),
    emptying: await refused('TRUNCATE ledger_entry'),
    'emptying a part': await refused('TRUNCATE ledger_entry_07'),
  }
  expect(answers).toEqual({
    'the same number': '23505',
    'the same side': '23505',
    'no transfer': '23503',
    change: 'CN002',
    'change of a part': 'CN002',
    deletion: 'CN002',
    emptying: 'CN002',
    'emptying a part': 'CN002',
  })
  const byPortal = sql`SELECT FROM ledger_entry_07`.execute(portal.db)
  await expect(byPortal).rejects.toThrow('permission denied')
})

test('split, a backup holds every row, and is restored into tables that are whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-partitions-'))
  const other = await emptyDatabase()
  try {
    const file = join(folder, 'backup')
    const made = await backupDatabase(portal.ownerUrl, { file, key: null })
    const { ownerUrl } = other
    const finish = async () => {}
    const options = { ownerUrl, log: openLog('fatal'), file, key: null, mode: 'demo' as const, finish }
    expect(await restoreDatabase(options)).toMatchObject({ tables: made.tables, rows: made.rows })
    const counted = 'SELECT count(*), sum(balance_after) FROM ledger_entry'
    const [here, there] = await Promise.all(
      [portal.ownerUrl, ownerUrl].map((url) =>
        asOwner(url, async (client) => (await client.query(counted)).rows),
      ),
    )
    expect(there).toEqual(here)
  } finally {
    await other.drop()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)

test('joined again, the tables are as the migrations made them', async () => {
  await run('join')
  expect(await shapeOf()).toEqual(before)
  await trade()
})
