import type { Client } from 'pg'
import { appRoleOf, atAddress, faultsOfRole, requireCreateRole } from '#server/platform/db/app-role.ts'
import { isServerItself } from '#server/platform/db/bounded-client.ts'
import { serverFaultsOf, tableFaultsOf } from '#server/platform/db/faults.ts'
import { missingFrom } from '#server/platform/db/migrate.ts'
import { readMigrations, type Migration } from '#server/platform/db/migration-files.ts'
import { LISTENER_NAME } from '#server/platform/db/notices.ts'
import {
  asOwner,
  connect,
  requireNames,
  requireOwnTables,
  requirePooler,
  requireSameTime,
  requireVersion,
} from '#server/platform/db/owner.ts'
import {
  inWords,
  readDifference,
  readLackedByOwners,
  readOwnedByOthers,
  someOf,
} from '#server/platform/db/rights.ts'
import { readSequencesBehind } from '#server/platform/db/sequences.ts'
import { requireWrites } from '#server/platform/db/writes.ts'
import { hostsOf, namesOfHosts } from '#server/platform/db/writable-client.ts'
import { inspectEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import type { Clock } from '#server/platform/values/clock.ts'
import type { Config } from '../config/config.ts'
import { connectionsOf } from '../config/process-sizes.ts'
import { readMode, requireMode } from '../start/database.ts'
import { failing, ok, proved, warning, type Finding } from './finding.ts'

/** Processes of the program before go on beside `expand` migrations only (docs/runbooks/upgrade.md). */
export function schemaFinding(all: readonly Migration[], missing: readonly Migration[]): Finding {
  if (missing.length === 0) return ok('schema', 'up to date')
  const text = `${missing.length} migrations are missing: the next start applies them`
  const contract = missing.findLast(({ kind }) => kind === 'contract')
  if (missing.length === all.length || contract === undefined) return ok('schema', text)
  return warning(
    'schema',
    `${text}; end every process of the program before it first, which cannot work beside ${contract.name}`,
  )
}

const APART_MS_COMFORTABLE = 2_000

/** The database as it is: nothing is started, made or migrated; what is tried is rolled back, every other statement only reads. */
export async function examineDatabase(config: Config, clock: Clock): Promise<Finding[]> {
  const found: Finding[] = []
  const connected = await proved('database', async () => {
    const { ownerUrl, where } = await findDatabase(config)
    if (ownerUrl === null) return ok('database', where)
    return asOwner(ownerUrl, async (client) => {
      const finding = await identify(client, where, config)
      found.push(...(await examineInside(client, { config, ownerUrl, clock })))
      return finding
    })
  })
  return [connected, ...found]
}

type Place = { ownerUrl: string | null; where: string }

/** Where the database is; without an address while nothing runs there. */
export async function findDatabase({ databaseUrl, dataDir }: Config): Promise<Place> {
  if (databaseUrl !== null) return { ownerUrl: databaseUrl, where: `at ${namesOfHosts(databaseUrl)}` }
  const state = await inspectEmbeddedPostgres(dataDir)
  if (state === 'absent')
    return { ownerUrl: null, where: `the embedded one in ${dataDir} is made by the first start` }
  if (state === 'stopped')
    return { ownerUrl: null, where: `the embedded one in ${dataDir} runs while a portal runs` }
  return { ownerUrl: state.url, where: `embedded in ${dataDir}` }
}

async function identify(client: Client, where: string, { isDemo }: Config): Promise<Finding> {
  const version = await requireVersion(client)
  const { rows } = await client.query<{ role: string }>('SELECT current_user AS role')
  return ok('database', `PostgreSQL ${version} ${where} as ${rows[0]?.role}, ${isDemo ? 'a demo' : 'live'}`)
}

type Inside = { config: Config; ownerUrl: string; clock: Clock }

/**
 * One after the other, because they share a connection; each in a transaction of its own, which a pooler sends to one
 * server and which leaves nothing behind.
 */
async function examineInside(client: Client, { config, ownerUrl, clock }: Inside): Promise<Finding[]> {
  const read = (name: string, prove: () => Promise<Finding>) =>
    proved(name, async () => {
      await client.query('BEGIN READ ONLY')
      try {
        return await prove()
      } finally {
        await client.query('ROLLBACK').catch(() => {})
      }
    })
  const findings = [
    await read('rights', async () => {
      await requireNames(client)
      await requireOwnTables(client)
      await requireCreateRole(client, 'portal_app')
      await requireCreateRole(client, (await appRoleOf(client, ownerUrl)).url.username)
      return examineRights(client, ownerUrl)
    }),
    await read('schema', () => examineSchema(client)),
    await read('tables', () => examineTables(client)),
    await read('mode', async () => {
      const stored = await readMode(client)
      requireMode(stored, config)
      return ok('mode', stored === null ? 'not decided yet' : `made with DEMO=${config.isDemo ? 1 : 0}`)
    }),
    await proved('writes', () => examineWrites(client, ownerUrl)),
    await read('server', () => examineServer(client)),
    await read('locks', () => examineLocks(client)),
    await read('indexes', () => examineIndexes(client)),
    await read('connections', () => examineConnections(client, config, ownerUrl)),
  ]
  if (config.databaseUrl === null) return findings
  findings.push(await read('clock', () => examineClock(client, clock)))
  findings.push(await read('standby', () => examineStandby(client, ownerUrl)))
  findings.push(...(await examinePooler(client, config, ownerUrl)))
  if (config.replicaUrl === null) return findings
  return [...findings, await examineReplica(client, config.replicaUrl)]
}

async function examineSchema(client: Client): Promise<Finding> {
  const all = await readMigrations()
  return schemaFinding(all, await missingFrom(client, all))
}

/**
 * The portal's own role, and what it may really do: the next start sets both right. A database that is not up to date has
 * not the rights that this program's migrations give.
 */
async function examineRights(client: Client, ownerUrl: string): Promise<Finding> {
  const fine = ok('rights', 'the role may do what the portal needs')
  const role = await appRoleOf(client, ownerUrl)
  const faults = await faultsOfRole(client, role)
  if (faults.length > 0) {
    return failing(
      'rights',
      `the portal’s role is not as the portal made it: start a process of it, which runs ${faults.join('; ')}`,
    )
  }
  if ((await missingFrom(client, await readMigrations())).length > 0) return fine
  const lacked = await readLackedByOwners(client)
  if (lacked.length > 0) {
    return failing(
      'rights',
      `the owner of the tables lacks ${inWords(lacked).join(', ')}, so that functions that run in its name fail: start a process of the portal, which gives it these again`,
    )
  }
  const isMade = (await portalUrlOf(client, ownerUrl)) !== null
  const { missing, surplus } = await readDifference(client, isMade ? role.url.username : 'portal_app')
  if (missing.length > 0) {
    return failing(
      'rights',
      `the portal’s role lacks ${inWords(missing).join(', ')}: start a process of the portal, which gives it these again`,
    )
  }
  if (surplus.length === 0) return fine
  return warning(
    'rights',
    `the portal’s role may do more than the migrations let it (${someOf(inWords(surplus))}): start a process of the portal, which takes it back`,
  )
}

/** What protects money and records stands in the tables; the next start refuses without it, or sets it right. */
async function examineTables(client: Client): Promise<Finding> {
  const { rowCount } = await client.query(`SELECT WHERE to_regclass('schema_migration') IS NOT NULL`)
  if (rowCount === 0) return ok('tables', 'made by the first start')
  const faults = (await tableFaultsOf(client)).map(({ sentence }) => sentence)
  const others = await readOwnedByOthers(client)
  if (others.length > 0)
    faults.push(
      `what belongs to another role cannot be migrated: let a superuser run ${someOf(others, '; ')}`,
    )
  const behind = (await readSequencesBehind(client)).map(({ sequence }) => sequence)
  if (behind.length > 0)
    faults.push(
      `numbers are given that are taken (${someOf(behind)}), so that new rows are refused: start a process of the portal, which ` +
        'lets these go on behind the highest ones',
    )
  return faults.length === 0
    ? ok('tables', 'as the migrations make them')
    : failing('tables', faults.join('; '))
}

/** How PostgreSQL is set up and cared for. */
async function examineServer(client: Client): Promise<Finding> {
  const faults = await serverFaultsOf(client)
  if (faults.length === 0) return ok('server', 'it keeps what it confirms, and is cared for')
  const text = faults.map(({ sentence }) => sentence).join('; ')
  return faults.some(({ isError }) => isError) ? failing('server', text) : warning('server', text)
}

/** Tried by both roles, each of which may have been forbidden it. */
async function examineWrites(client: Client, ownerUrl: string): Promise<Finding> {
  await requireWrites(client, ownerUrl)
  const appUrl = await portalUrlOf(client, ownerUrl)
  // Where it cannot log in, the rights say so.
  const portal = appUrl === null ? null : await connect(appUrl).catch(() => null)
  if (portal !== null) await requireWrites(portal, ownerUrl).finally(() => portal.end())
  return ok('writes', 'PostgreSQL takes changes, and has room on its disk')
}

/** Statements that wait for longer than any of the portal's does for a lock. */
async function examineLocks(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ waiting: number; holders: string | null }>(`
    SELECT count(DISTINCT pid)::int AS waiting, string_agg(DISTINCT holder::text, ', ') AS holders
      FROM pg_locks LEFT JOIN LATERAL unnest(pg_blocking_pids(pid)) AS holder ON true
     WHERE NOT granted AND waitstart < clock_timestamp() - interval '3 seconds'`)
  const { waiting = 0, holders = null } = rows[0] ?? {}
  const prepared = await client.query<{ gid: string }>(`
    SELECT quote_literal(gid) AS gid FROM pg_prepared_xacts
     WHERE database = current_database() AND prepared < clock_timestamp() - interval '3 seconds' ORDER BY prepared`)
  if (prepared.rows.length > 0) {
    const gids = prepared.rows.map(({ gid }) => gid)
    return failing(
      'locks',
      `prepared transactions hold their locks until they are ended (${waiting} statements wait): run in this database ` +
        someOf(
          gids.map((gid) => `ROLLBACK PREPARED ${gid}`),
          '; ',
        ),
    )
  }
  if (waiting === 0) return ok('locks', 'no statement waits for a lock')
  return failing(
    'locks',
    `${waiting} statements wait for what other processes of PostgreSQL hold (${holders}): see in pg_stat_activity what these do, and end them with pg_terminate_backend`,
  )
}

/** What CREATE INDEX CONCURRENTLY leaves behind when it fails: one that is written to and never read, and checks nothing. */
async function examineIndexes(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON oid = indexrelid
     WHERE NOT indisvalid AND relnamespace IN (to_regnamespace('public'), to_regnamespace('game')) ORDER BY 1`)
  if (rows.length === 0) return ok('indexes', 'all are valid')
  const names = rows.map(({ name }) => name)
  return failing(
    'indexes',
    `not valid: ${someOf(names)}: run ${names.map((name) => `REINDEX INDEX ${name}`).join('; ')} as the owner`,
  )
}

/**
 * Whether PostgreSQL lets in all processes of this start, and those of other starts and machines as far as they run
 * now.
 */
async function examineConnections(client: Client, config: Config, ownerUrl: string): Promise<Finding> {
  const { rows } = await client.query<{ allowed: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS allowed`,
  )
  const allowed = rows[0]?.allowed ?? 0
  const { running, each, sum } = connectionsOf(config, await countProcesses(client, ownerUrl))
  const text = `${sum} at most of the ${allowed} that PostgreSQL allows (${running} × ${each})`
  if (sum <= allowed) return ok('connections', text)
  return warning(
    'connections',
    `${text}: lower DATABASE_POOL or PROCESSES, raise max_connections, or put PgBouncer between`,
  )
}

/** Processes of the portal that are connected. Only their own role sees what they are called. */
async function countProcesses(client: Client, ownerUrl: string): Promise<number> {
  const appUrl = await portalUrlOf(client, ownerUrl)
  if (appUrl === null) return 0
  try {
    return await asOwner(appUrl, async (portal) => {
      const { rows } = await portal.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE usename = current_user AND application_name = $1`,
        [LISTENER_NAME],
      )
      return rows[0]?.count ?? 0
    })
  } catch {
    // The next start sets the role's password; until then no process can be connected by it.
    return 0
  }
}

/** The DSN of the portal's own role; null until the first start has made it. */
async function portalUrlOf(client: Client, ownerUrl: string): Promise<string | null> {
  const { url } = await appRoleOf(client, ownerUrl)
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [url.username])
  return rowCount === 0 ? null : url.href
}

type Confirming = { names: string; loose: string | null; standbys: number }

/**
 * A failover keeps what was confirmed only where commits wait for a standby. Whether Patroni goes on without one is not to
 * be seen here.
 */
async function examineStandby(client: Client, ownerUrl: string): Promise<Finding> {
  const { rows } = await client.query<Confirming>(`
    SELECT current_setting('synchronous_standby_names') AS names,
           (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
           (SELECT string_agg(setting, ', ') FROM
             (SELECT 'synchronous_commit=' || current_setting('synchronous_commit')
               UNION SELECT unnest(setconfig) FROM pg_db_role_setting
                WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))) AS set (setting)
             WHERE setting IN ('synchronous_commit=off', 'synchronous_commit=local')) AS loose`)
  const { names, loose, standbys } = rows[0] as Confirming
  if (loose !== null)
    return warning(
      'standby',
      `${loose}: a crash or a failover loses confirmed operations; RESET synchronous_commit of role and database`,
    )
  if (names !== '') return ok('standby', `commits wait for ${names}`)
  if (hostsOf(ownerUrl).length < 2 && standbys === 0) return ok('standby', 'there is none to fail over to')
  return warning(
    'standby',
    'no commit waits for one, so a failover loses confirmed operations: set synchronous_mode_strict of Patroni, or ' +
      'synchronous_standby_names (docs/runbooks/failover.md)',
  )
}

/** LISTEN, and what else belongs to one session, needs PostgreSQL itself; requests may go through a pooler. */
async function examinePooler(client: Client, { poolerUrl }: Config, ownerUrl: string): Promise<Finding[]> {
  if (!(await isServerItself(client)))
    return [
      failing(
        'pooler',
        `${namesOfHosts(ownerUrl)} is a connection pooler: name PostgreSQL itself in DATABASE_DIRECT_URL, ` +
          'for migrations, roles and LISTEN; without it processes hear of changes late or never',
      ),
    ]
  if (poolerUrl === null) return []
  return [
    await proved('pooler', async () => {
      const where = namesOfHosts(poolerUrl)
      const appUrl = await portalUrlOf(client, ownerUrl)
      if (appUrl === null)
        return ok('pooler', `${where} is asked from the first start on, which makes its role`)
      await requirePooler({ requestsUrl: atAddress(appUrl, poolerUrl), appUrl })
      return ok('pooler', `requests go through ${where}`)
    }),
  ]
}

/** One that is away costs nothing but its help: no error. */
async function examineReplica(primary: Client, url: string): Promise<Finding> {
  const where = `the server at ${namesOfHosts(url)}`
  const clusterOf = async (client: Client) =>
    (
      await client.query<{ follows: boolean; id: string }>(
        'SELECT pg_is_in_recovery() AS follows, system_identifier::text AS id FROM pg_control_system()',
      )
    ).rows[0]
  try {
    const [own, replica] = [await clusterOf(primary), await asOwner(url, clusterOf)]
    if (replica?.follows === true && replica.id !== own?.id)
      return failing(
        'replica',
        `${where} follows another PostgreSQL than that of DATABASE_URL: correct DATABASE_REPLICA_URL, or leave it out; nothing is ` +
          'read from it',
      )
    if (replica?.follows === true) return ok('replica', `public data is read from ${where}`)
    return warning('replica', `${where} follows no other: correct DATABASE_REPLICA_URL, or leave it out`)
  } catch (error) {
    return warning(
      'replica',
      `public data is read from the primary (${(error as Error).message}): start the replica, or correct DATABASE_REPLICA_URL`,
    )
  }
}

async function examineClock(client: Client, clock: Clock): Promise<Finding> {
  const apart_ms = await requireSameTime(client, clock)
  const text = `${(apart_ms / 1_000).toFixed(1)} s apart from the database’s`
  return Math.abs(apart_ms) <= APART_MS_COMFORTABLE
    ? ok('clock', text)
    : warning('clock', `${text}: let both machines keep time (NTP)`)
}
