import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateDatabase, migrationsTurn } from '#server/platform/db/migrate.ts'
import { parseMigration, readMigrations } from '#server/platform/db/migration-files.ts'
import { inTurn } from '#server/platform/db/advisory-lock.ts'
import { openLog } from '#server/platform/log/log.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/purchases.ts'

const silent = openLog('fatal')

const clients: Client[] = []
let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()))
  await database.drop()
})

async function open(): Promise<Client> {
  const client = new Client({ connectionString: database.ownerUrl })
  client.on('error', () => {})
  await client.connect()
  clients.push(client)
  return client
}

const kindsOf = async (client: Client) =>
  (await client.query<{ kind: string }>('SELECT kind FROM schema_migration')).rows.map(({ kind }) => kind)

test('an older program starts on a database that is ahead by an expand migration, and leaves it alone', async () => {
  const client = await open()
  const before = await kindsOf(client)
  const newer = parseMigration('9001-more.sql', '-- expand\nALTER TABLE settings ADD COLUMN more text;')
  await migrateDatabase(database.ownerUrl, silent, [...(await readMigrations()), newer])
  await migrateDatabase(database.ownerUrl, silent)
  expect(await kindsOf(client)).toEqual([...before, 'expand'])
})

test('it does not start once a contract migration was applied, and explains what to do', async () => {
  const client = await open()
  const newer = parseMigration('9002-less.sql', '-- contract\nALTER TABLE settings DROP COLUMN more;')
  const expanded = parseMigration('9001-more.sql', '-- expand\nALTER TABLE settings ADD COLUMN more text;')
  await migrateDatabase(database.ownerUrl, silent, [...(await readMigrations()), expanded, newer])
  const start = migrateDatabase(database.ownerUrl, silent)
  await expect(start).rejects.toThrow(SetupProblem)
  await expect(start).rejects.toThrow(/9002-less\.sql.*start the newer program, or restore/)
  await client.query(`DELETE FROM schema_migration WHERE name LIKE '900%'`)
})

const INDEX = 'settings_by_value'
const indexed = parseMigration(
  '9004-index.sql',
  `-- expand, outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS ${INDEX} ON settings (value);\n`,
)
const isValid = async (client: Client) =>
  (
    await client.query<{ indisvalid: boolean }>(
      'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [INDEX],
    )
  ).rows[0]?.indisvalid

test('an index is built beside those who write, and again when its build was interrupted', async () => {
  const [writer, other] = [await open(), await open()]
  const ours = [...(await readMigrations()), indexed]
  const write = (client: Client) => client.query(`UPDATE settings SET value = value WHERE key = 'site_name'`)
  const isBuilding = async () => {
    const { rows } = await other.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE query LIKE '%CREATE INDEX CONCURRENTLY%' AND pid <> pg_backend_pid()
        AND datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`,
    )
    expect(rows).toHaveLength(1)
    return rows[0]?.pid
  }

  await writer.query('BEGIN')
  await writer.query(`INSERT INTO settings (key, value) VALUES ('kept-open', '1')`)
  const cutOff = migrateDatabase(database.ownerUrl, silent, ours).catch((error: unknown) => error)
  const pid = await eventually(isBuilding)
  await other.query(`SET statement_timeout = '2s'`)
  await write(other)
  await other.query('SELECT pg_cancel_backend($1)', [pid])
  expect(await cutOff).toBeInstanceOf(SetupProblem)
  expect(await isValid(other)).toBe(false)

  const built = migrateDatabase(database.ownerUrl, silent, ours)
  await sleep(200)
  await writer.query('ROLLBACK')
  await built
  expect(await isValid(other)).toBe(true)
})

test('who waits for the migrations of another process has no transaction open, for which an index build would wait', async () => {
  const [migrating, waiting, watching] = [await open(), await open(), await open()]
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const held = inTurn(migrating, migrationsTurn(silent), () => {
    begun.resolve()
    return end.promise
  })
  await begun.promise
  const { rows } = await waiting.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const turn = inTurn(waiting, migrationsTurn(silent), async () => 'had its turn')
  // Between two tries. With one transaction for all of them it would never be found like this.
  await eventually(async () => {
    const { rowCount } = await watching.query(
      `SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'idle' AND query = 'ROLLBACK'`,
      [rows[0]?.pid],
    )
    expect(rowCount).toBe(1)
  })
  end.resolve()
  await held
  expect(await turn).toBe('had its turn')
})

test.each([
  '',
  'CREATE TABLE more (id bigint);',
  '-- Expand',
  '-- expand: a table',
  ' -- contract',
  '-- contract, outside a transaction',
])('a migration that does not say its kind in its first line is refused: %j', (line) => {
  const sql = `${line}\nALTER TABLE settings ADD COLUMN more text;\n`
  expect(() => parseMigration('9005-unsaid.sql', sql)).toThrow(
    'the first line of 9005-unsaid.sql is "-- expand", "-- expand, outside a transaction" or "-- contract"',
  )
})

test('a file outside a transaction is one index and nothing else', () => {
  const wrong = '-- expand, outside a transaction\nCREATE INDEX a ON settings (value);\n'
  expect(() => parseMigration('9006-wrong.sql', wrong)).toThrow('9006-wrong.sql')
  const two = `${indexed.sql}DROP TABLE settings;\n`
  expect(() => parseMigration('9007-two.sql', two)).toThrow('9007-two.sql')
})
