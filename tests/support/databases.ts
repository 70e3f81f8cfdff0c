import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appRoleOf, openAppRole } from '#server/platform/db/app-role.ts'
import { asOwner as withOwner } from '#server/platform/db/owner.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { openLog } from '#server/platform/log/log.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { withLock, preparePlace, countLivingUses } from '#server/platform/embedded-postgres/place.ts'
import { stopPostmaster } from '#server/platform/embedded-postgres/postmaster.ts'

export type FreshDatabase = {
  /** As the owner: may change the schema. */
  ownerUrl: string
  /** As the portal itself connects. */
  appUrl: string
  drop: () => Promise<void>
}

/** A migrated, empty database that others are copied from, which takes a fraction of the time of migrating each. `lastly` is SQL. */
export async function createTemplate(adminUrl: string, lastly?: string): Promise<string> {
  const template = uniqueName('template')
  await execute(adminUrl, `CREATE DATABASE ${template}`)
  const ownerUrl = withDatabase(adminUrl, template)
  await migrateDatabase(ownerUrl, openLog('warn'))
  if (lastly !== undefined) await execute(ownerUrl, lastly)
  await closePools(template)
  // PostgreSQL cannot copy a database with open connections, so none are allowed.
  await execute(adminUrl, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`)
  return template
}

export async function cloneTemplate(adminUrl: string, template: string): Promise<FreshDatabase> {
  const name = uniqueName('test')
  // By files instead of through the WAL, a page at a time: less than half of the CPU time.
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  const ownerUrl = withDatabase(adminUrl, name)
  const appUrl = await openAppRole(ownerUrl, openLog('fatal'))
  const role = new URL(appUrl).username
  return {
    ownerUrl,
    appUrl,
    drop: async () => {
      await dropDatabase(adminUrl, name)
      await execute(adminUrl, `DROP ROLE IF EXISTS ${role}`)
    },
  }
}

/** Nothing in it, and owned by a role of its own that is no superuser: what an owner makes for a restore. */
export async function createEmptyDatabase(adminUrl: string): Promise<Omit<FreshDatabase, 'appUrl'>> {
  const name = uniqueName('empty')
  const roles = `GRANT portal_app TO ${name} WITH ADMIN OPTION`
  await execute(adminUrl, `CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD 'secret'; ${roles}`)
  await execute(adminUrl, `CREATE DATABASE ${name} OWNER ${name}`)
  const ownerUrl = new URL(withDatabase(adminUrl, name))
  Object.assign(ownerUrl, { username: name, password: 'secret' })
  return {
    ownerUrl: ownerUrl.href,
    drop: async () => {
      const { url: app } = await withOwner(ownerUrl.href, (client) => appRoleOf(client, ownerUrl.href))
      await dropDatabase(adminUrl, name)
      await execute(adminUrl, `DROP ROLE IF EXISTS ${app.username}`)
      await execute(adminUrl, `DROP ROLE ${name}`)
    },
  }
}

/** Waits a moment for connections that are just being closed: thrown out, they would fail a test that is over. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await closePools(name)
  await withClient(adminUrl, async (client) => {
    for (let left = 100; left > 0; left--) {
      const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
      if (!rowCount) break
      await sleep(50)
    }
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })
}

/** Runs SQL as the owner, who may do what the portal may not. */
export const asOwner = ({ ownerUrl }: { ownerUrl: string }, sql: string, values?: unknown[]): Promise<void> =>
  execute(ownerUrl, sql, values)

async function execute(url: string, sql: string, values?: unknown[]): Promise<void> {
  await poolOf(url).query(sql, values)
}

/** By the address of the database: a connection costs more than most of what tests do with it. */
const pools = new Map<string, Pool>()

function poolOf(url: string): Pool {
  const known = pools.get(url)
  if (known) return known
  const pool = new Pool({
    connectionString: url,
    application_name: 'cong-ninja tests',
    idleTimeoutMillis: 5_000,
    allowExitOnIdle: true,
  })
  // The server of an idle connection was stopped.
  pool.on('error', () => {})
  pools.set(url, pool)
  return pool
}

/** Of a database that nobody may be connected to any more. */
async function closePools(database: string): Promise<void> {
  for (const [url, pool] of pools) {
    if (new URL(url).pathname !== `/${database}`) continue
    pools.delete(url)
    await pool.end()
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'cong-ninja tests' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function uniqueName(kind: string): string {
  return `portal_${kind}_${randomBytes(6).toString('hex')}`
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** Each table's rows as text and as values, read as the owner. */
export type Dump = Map<string, { texts: string[]; rows: Record<string, string | null>[] }>

export function dumpDatabase({ ownerUrl }: { ownerUrl: string }): Promise<Dump> {
  return withClient(ownerUrl, async (client) => {
    const tables = await client.query<{ name: string }>(
      `SELECT CASE WHEN table_schema = 'public' THEN '' ELSE table_schema || '.' END || table_name AS name
         FROM information_schema.tables
        WHERE table_schema IN ('public', 'game') AND table_type = 'BASE TABLE' ORDER BY 1`,
    )
    const read: Dump = new Map()
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string; columns: Record<string, string | null> }>(
        `SELECT t::text AS text, (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(t))) AS columns FROM ${name} t`,
      )
      read.set(name, { texts: rows.map(({ text }) => text), rows: rows.map(({ columns }) => columns) })
    }
    return read
  })
}

const DIR_PREFIX = 'cong-ninja-tests-'
const LONGEST_START_MS = 60_000

/** A server for this run alone, without fsync: what survives a crash is tested elsewhere. */
export async function openTestServer(): Promise<EmbeddedPostgres> {
  await removeAbandonedServers()
  const dataDir = await mkdtemp(join(tmpdir(), DIR_PREFIX))
  const removeDir = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  try {
    const server = await openEmbeddedPostgres({ dataDir, durable: false, log: () => {} })
    return { url: server.url, stop: () => server.stop().then(removeDir) }
  } catch (error) {
    await removeDir()
    throw error
  }
}

/** A run that was killed could not stop its server; the next run does it. */
async function removeAbandonedServers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(DIR_PREFIX)) continue
    const dataDir = join(tmpdir(), name)
    try {
      // A younger one may be of a run that starts this very moment and has not registered yet.
      if (Date.now() - (await stat(dataDir)).birthtimeMs > LONGEST_START_MS) await removeIfAbandoned(dataDir)
    } catch {
      // Someone else's, in use, or just gone: in every case not ours to remove.
    }
  }
}

async function removeIfAbandoned(dataDir: string): Promise<void> {
  const place = await preparePlace(dataDir)
  await withLock(place.lockFile, 0, async () => {
    if ((await countLivingUses(place.runDir)) > 0) return
    await stopPostmaster(place.clusterDir, () => {})
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
}
