import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import type { Log } from '../log/log.ts'

const MIGRATIONS = new URL('../../../../migrations/', import.meta.url)
/** Any constant does; it only has to be the same in every portal process. */
const LOCK = 7_346_522_001

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

async function applied(client: Client): Promise<Map<string, string>> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
    name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migration',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('BEGIN')
  try {
    // A migration that cannot get its lock soon gives up rather than stop every request behind it.
    await client.query(`SET LOCAL lock_timeout = '10s'`)
    await client.query(migration.sql)
    await client.query('INSERT INTO schema_migration (name, checksum) VALUES ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw new Error(`migration ${migration.name} failed`, { cause: error })
  }
}

/**
 * Brings the database up to date as its owner: each file of `migrations/` once, in order, each in a transaction of
 * its own. Processes that start together take turns under an advisory lock, so only one of them does the work.
 * Refuses a database whose applied files differ from ours, or that is ahead of us.
 */
export async function migrateDatabase({
  ownerUrl,
  log,
}: {
  ownerUrl: string
  log: Log
}): Promise<{ applied: string[] }> {
  const migrations = await readMigrations()
  const client = new Client({ connectionString: ownerUrl, application_name: 'cong-ninja migrations' })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const done = await applied(client)
    for (const name of done.keys()) {
      const ours = migrations.find((migration) => migration.name === name)
      if (!ours) throw new Error(`the database is ahead of this program: it has migration ${name}`)
      if (ours.checksum !== done.get(name))
        throw new Error(`migration ${name} was changed after it was applied`)
    }
    const missing = migrations.filter((migration) => !done.has(migration.name))
    for (const migration of missing) {
      await apply(client, migration)
      log.info({ migration: migration.name }, 'migration applied')
    }
    return { applied: missing.map((migration) => migration.name) }
  } finally {
    await client.end()
  }
}
