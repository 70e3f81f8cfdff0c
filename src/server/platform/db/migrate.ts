import { escapeIdentifier, type Client, type DatabaseError } from 'pg'
import type { Log } from '../log/log.ts'
import { SetupProblem } from '../values/errors.ts'
import { requireCreateRole } from './app-role.ts'
import { baselineInstead, placeIn, readMigrations, type Applied, type Migration } from './migration-files.ts'
import { asOwner } from './owner.ts'
import { ADVISORY_LOCKS, inTurn, type Turn } from './advisory-lock.ts'

const WAIT_MS = 60_000

/** One process at a time changes the schema. */
export const migrationsTurn = (log: Log): Turn => ({
  lock: ADVISORY_LOCKS.migrations,
  purpose: 'migrations',
  waitMs: WAIT_MS,
  log,
})

/**
 * Brings the database up to date as its owner: a new one gets the baseline (`sql/`), every one each file of
 * `migrations/` once, in order, each in a transaction of its own, but for an index that is built beside those who write.
 * Processes that start together take turns; a database that lacks nothing is only read. Refuses a database whose applied
 * files differ from ours, that is older than the baseline, or ahead of us by more than `expand` migrations.
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
  for (const { name, checksum, kind } of done) {
    const ours = migrations.find((migration) => migration.name === name)
    if (!ours && kind === 'expand') continue
    if (!ours) {
      throw new SetupProblem(
        `the database is ahead of this program: migration ${name} changed what this program relies on; ` +
          'start the newer program, or restore the backup made before the upgrade',
      )
    }
    if (checksum !== null && ours.checksum !== checksum) {
      throw new SetupProblem(
        `migration ${name} was changed after it was applied; restore the file as it was released`,
      )
    }
  }
  return migrations.filter((migration) => !done.some(({ name }) => name === migration.name))
}

/** Whether a newer program has changed the database already. */
export async function isAheadOf(client: Client, migrations: readonly Migration[]): Promise<boolean> {
  const done = await appliedTo(client)
  return done.some(({ name }) => !migrations.some((migration) => migration.name === name))
}

async function appliedTo(client: Client): Promise<Applied[]> {
  const { rows: tables } = await client.query(`SELECT WHERE to_regclass('schema_migration') IS NOT NULL`)
  if (tables.length === 0) return []
  // A database from before there were kinds, which is refused, has no such column.
  const { rows } = await client.query<Applied>(
    `SELECT name, checksum, to_jsonb(applied) ->> 'kind' AS kind FROM schema_migration AS applied ORDER BY name`,
  )
  return baselineInstead('the database', rows)
}

/** Inside a turn: a restore makes the schema of its backup and fills it in one transaction. */
export async function applyMigrations(client: Client, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) await applyOnce(client, migration, null)
}

const insideTransaction = (sql: string) => sql.replace('INDEX CONCURRENTLY', 'INDEX')

/** Inside a turn. False when another process was faster. Without a DSN an index is built inside as well: nobody waits. */
async function applyOnce(client: Client, migration: Migration, ownerUrl: string | null): Promise<boolean> {
  if ((await appliedTo(client)).some(({ name }) => name === migration.name)) return false
  const { name, sql, checksum, kind, concurrentIndex } = migration
  try {
    const isApart = concurrentIndex !== null && ownerUrl !== null
    if (isApart) await asOwner(ownerUrl, (other) => buildIndex(other, sql, concurrentIndex))
    // A migration that cannot get its lock soon gives up rather than stop every request behind it.
    await client.query(`SET LOCAL lock_timeout = '10s'`)
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(),
      kind text NOT NULL DEFAULT 'contract' CHECK (kind IN ('expand', 'contract')))`)
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

/** Runs on a second connection: the transaction that holds the lock has no snapshot that the build would wait for. */
async function buildIndex(client: Client, sql: string, index: string): Promise<void> {
  // A build that was cut off leaves an index behind that no query uses and that IF NOT EXISTS would take for done.
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [index],
  )
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${escapeIdentifier(index)}`)
  await client.query(sql)
}

function explain(migration: Migration, error: DatabaseError): SetupProblem {
  const { code, position, message, detail, where } = error
  const place = position === undefined ? '' : ` ${placeIn(migration, Number(position))}`
  const more = [detail, where].filter(Boolean).join('; ')
  return new SetupProblem(
    `migration ${migration.name} failed${place}: ${message}${code ? ` (${code})` : ''}${more && `; ${more}`}. ` +
      'Nothing of this file was kept: mend the cause and start again',
    { cause: error },
  )
}
