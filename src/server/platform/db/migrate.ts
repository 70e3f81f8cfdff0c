import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Client, DatabaseError } from 'pg'
import type { Log } from '../log/log.ts'
import { SetupProblem } from '../setup-problem.ts'
import { requireCreateRole } from './app-role.ts'
import { asOwner } from './owner.ts'
import { inTurn } from './turn.ts'

const MIGRATIONS = new URL('../../../../migrations/', import.meta.url)
const LOCK = 7_346_522_001
const WAIT_MS = 60_000

export type Migration = { name: string; sql: string; checksum: string }

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, MIGRATIONS), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the database up to date as its owner: each file of `migrations/` once, in order, each in a transaction of
 * its own. Processes that start together take turns; a database that lacks nothing is only read. Refuses a database
 * whose applied files differ from ours, or that is ahead of us.
 */
export async function migrateDatabase(ownerUrl: string, log: Log): Promise<void> {
  const migrations = await readMigrations()
  await asOwner(ownerUrl, async (client) => {
    const missing = await missingFrom(client, migrations)
    if (missing.length > 0) await requireCreateRole(client, 'portal_app')
    for (const migration of missing) {
      const turn = { lock: LOCK, purpose: 'migrations', waitMs: WAIT_MS, log }
      const isApplied = await inTurn(client, turn, () => applyOnce(client, migration))
      if (isApplied) log.info({ migration: migration.name }, 'migration applied')
    }
  })
}

/** The `migrations` that the database lacks; read-only. */
export async function missingFrom(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const done = await appliedTo(client)
  for (const [name, checksum] of done) {
    const ours = migrations.find((migration) => migration.name === name)
    if (!ours) {
      throw new SetupProblem(
        `the database is ahead of this program: it has migration ${name}; start the newer program`,
      )
    }
    if (ours.checksum !== checksum) {
      throw new SetupProblem(
        `migration ${name} was changed after it was applied; restore the file as it was released`,
      )
    }
  }
  return migrations.filter(({ name }) => !done.has(name))
}

async function appliedTo(client: Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query(`SELECT WHERE to_regclass('schema_migration') IS NOT NULL`)
  if (tables.length === 0) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migration',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

/** Inside a turn. False when another process was faster. */
async function applyOnce(client: Client, migration: Migration): Promise<boolean> {
  if ((await appliedTo(client)).has(migration.name)) return false
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
    // A migration that cannot get its lock soon gives up rather than stop every request behind it.
    await client.query(`SET LOCAL lock_timeout = '10s'`)
    await client.query(migration.sql)
    await client.query('INSERT INTO schema_migration (name, checksum) VALUES ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    return true
  } catch (error) {
    throw explain(migration, error as DatabaseError)
  }
}

function explain({ name, sql }: Migration, error: DatabaseError): SetupProblem {
  const { code, position, message, detail, where } = error
  const line = position === undefined ? '' : ` at line ${sql.slice(0, Number(position)).split('\n').length}`
  const more = [detail, where].filter(Boolean).join('; ')
  return new SetupProblem(
    `migration ${name} failed${line}: ${message}${code ? ` (${code})` : ''}${more && `; ${more}`}. ` +
      'Nothing of this file was kept: mend the cause and start again',
    { cause: error },
  )
}
