import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { escapeIdentifier, type Client, type DatabaseError } from 'pg'
import { invariant } from '../invariant.ts'
import type { Log } from '../log/log.ts'
import { SetupProblem } from '../setup-problem.ts'
import { requireCreateRole } from './app-role.ts'
import { asOwner } from './owner.ts'
import { inTurn, type Turn } from './turn.ts'

const MIGRATIONS = new URL('../../../../migrations/', import.meta.url)
const LOCK = 7_346_522_001
const WAIT_MS = 60_000

/** One process at a time changes the schema. */
export const migrationsTurn = (log: Log): Turn => ({
  lock: LOCK,
  purpose: 'migrations',
  waitMs: WAIT_MS,
  log,
})

/**
 * `expand`: programs that do not know the migration go on working beside it and may be started again. `contract`: only
 * programs that know it may run. A file says which in its first line; those from before that rule are `contract`.
 */
export type MigrationKind = 'expand' | 'contract'

export type Migration = {
  name: string
  sql: string
  checksum: string
  kind: MigrationKind
  /** The index that is built outside a transaction, so that nobody who writes has to wait; null for all other files. */
  concurrentIndex: string | null
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => parseMigration(name, await readFile(new URL(name, MIGRATIONS), 'utf8'))),
  )
}

const FIRST_LINE = /^-- (expand|contract)(, outside a transaction)?$/
const CONCURRENT_INDEX =
  /^(?:--.*\n|\s)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)\s[^;]*;\s*$/

/** Throws when a file outside a transaction is anything but one index. */
export function parseMigration(name: string, sql: string): Migration {
  const [, kind = 'contract', isAlone] = FIRST_LINE.exec(sql.split('\n', 1)[0] ?? '') ?? []
  const concurrentIndex = isAlone === undefined ? null : (CONCURRENT_INDEX.exec(sql)?.[1] ?? null)
  invariant(
    isAlone === undefined || concurrentIndex !== null,
    `${name} holds one CREATE INDEX CONCURRENTLY IF NOT EXISTS and nothing else`,
  )
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { name, sql, checksum, kind: kind as MigrationKind, concurrentIndex }
}

/**
 * Brings the database up to date as its owner: each file of `migrations/` once, in order, each in a transaction of
 * its own, but for an index that is built beside those who write. Processes that start together take turns; a database
 * that lacks nothing is only read. Refuses a database whose applied files differ from ours, or that is ahead of us by
 * more than `expand` migrations.
 */
export async function migrateDatabase(
  ownerUrl: string,
  log: Log,
  migrations: readonly Migration[] | null = null,
): Promise<void> {
  const ours = migrations ?? (await readMigrations())
  await asOwner(ownerUrl, async (client) => {
    const missing = await missingFrom(client, ours)
    if (missing.length > 0) await requireCreateRole(client, 'portal_app')
    for (const migration of missing) {
      const isApplied = await inTurn(client, migrationsTurn(log), () =>
        applyOnce(client, migration, ownerUrl),
      )
      if (isApplied) log.info({ migration: migration.name }, 'migration applied')
    }
  })
}

/** The `migrations` that the database lacks; read-only. */
export async function missingFrom(client: Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const done = await appliedTo(client)
  for (const [name, { checksum, kind }] of done) {
    const ours = migrations.find((migration) => migration.name === name)
    if (!ours && kind === 'expand') continue
    if (!ours) {
      throw new SetupProblem(
        `the database is ahead of this program: migration ${name} changed what this program relies on; ` +
          'start the newer program, or restore the backup made before the upgrade',
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

type Applied = { checksum: string; kind: string | null }

async function appliedTo(client: Client): Promise<Map<string, Applied>> {
  const { rows: tables } = await client.query(`SELECT WHERE to_regclass('schema_migration') IS NOT NULL`)
  if (tables.length === 0) return new Map()
  // A database of the releases before kinds has no such column.
  const { rows } = await client.query<Applied & { name: string }>(
    `SELECT name, checksum, to_jsonb(applied) ->> 'kind' AS kind FROM schema_migration AS applied`,
  )
  return new Map(rows.map(({ name, ...applied }) => [name, applied]))
}

/** Inside a turn: a restore makes the schema of its backup and fills it in one transaction. */
export async function applyMigrations(client: Client, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) await applyOnce(client, migration, null)
}

const insideTransaction = (sql: string) => sql.replace('INDEX CONCURRENTLY', 'INDEX')

/** Inside a turn. False when another process was faster. Without a DSN an index is built inside as well: nobody waits. */
async function applyOnce(client: Client, migration: Migration, ownerUrl: string | null): Promise<boolean> {
  if ((await appliedTo(client)).has(migration.name)) return false
  const { name, sql, checksum, kind, concurrentIndex } = migration
  try {
    const isApart = concurrentIndex !== null && ownerUrl !== null
    if (isApart) await asOwner(ownerUrl, (other) => buildIndex(other, sql, concurrentIndex))
    // A migration that cannot get its lock soon gives up rather than stop every request behind it.
    await client.query(`SET LOCAL lock_timeout = '10s'`)
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
    await client.query(`ALTER TABLE schema_migration ADD COLUMN IF NOT EXISTS
      kind text NOT NULL DEFAULT 'contract' CHECK (kind IN ('expand', 'contract'))`)
    if (!isApart) await client.query(insideTransaction(sql))
    await client.query('INSERT INTO schema_migration (name, checksum, kind) VALUES ($1, $2, $3)', [
      name,
      checksum,
      kind,
    ])
    return true
  } catch (error) {
    throw explain(migration, error as DatabaseError)
  }
}

/** On a connection of its own: the transaction that holds the turn has no snapshot that the build would wait for. */
async function buildIndex(client: Client, sql: string, index: string): Promise<void> {
  // A build that was cut off leaves an index behind that no query uses and that IF NOT EXISTS would take for done.
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [index],
  )
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${escapeIdentifier(index)}`)
  await client.query(sql)
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
