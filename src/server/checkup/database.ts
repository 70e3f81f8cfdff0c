import type { Client } from 'pg'
import type { Config } from '../config.ts'
import { readMode, requireMode } from '../installation.ts'
import { appRoleOf, requireCreateRole } from '../platform/db/app-role.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { namesOfHosts } from '../platform/db/hosts.ts'
import { missingFrom, readMigrations } from '../platform/db/migrate.ts'
import { asOwner } from '../platform/db/owner.ts'
import { requireOwnTables, requireSameTime, requireVersion } from '../platform/db/requirements.ts'
import { connectionsOf } from '../process-sizes.ts'
import { lookAtEmbeddedPostgres } from '../platform/embedded-postgres/index.ts'
import { ok, proved, warning, type Finding } from './finding.ts'

const APART_MS_COMFORTABLE = 2_000

/** The database as it is: nothing is started, made or migrated, and every statement only reads. */
export async function examineDatabase(config: Config, clock: Clock): Promise<Finding[]> {
  const found: Finding[] = []
  const connected = await proved('database', async () => {
    const { ownerUrl, where } = await find(config)
    if (ownerUrl === null) return ok('database', where)
    return asOwner(ownerUrl, async (client) => {
      await client.query('SET default_transaction_read_only = on')
      const finding = await identify(client, where, config)
      found.push(...(await examineInside(client, { config, ownerUrl, clock })))
      return finding
    })
  })
  return [connected, ...found]
}

type Place = { ownerUrl: string | null; where: string }

async function find({ databaseUrl, dataDir }: Config): Promise<Place> {
  if (databaseUrl !== null) return { ownerUrl: databaseUrl, where: `at ${namesOfHosts(databaseUrl)}` }
  const state = await lookAtEmbeddedPostgres(dataDir)
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

/** One after the other, because they share a connection. */
async function examineInside(client: Client, { config, ownerUrl, clock }: Inside): Promise<Finding[]> {
  const findings = [
    await proved('rights', async () => {
      await requireOwnTables(client)
      await requireCreateRole(client, 'portal_app')
      await requireCreateRole(client, (await appRoleOf(client, ownerUrl)).url.username)
      return ok('rights', 'the role may do what the portal needs')
    }),
    await proved('schema', async () => {
      const missing = await missingFrom(client, await readMigrations())
      if (missing.length > 0)
        return ok('schema', `${missing.length} migrations are missing: the next start applies them`)
      return ok('schema', 'up to date')
    }),
    await proved('mode', async () => {
      const kept = await readMode(client)
      requireMode(kept, config)
      return ok('mode', kept === null ? 'not decided yet' : `made with DEMO=${config.isDemo ? 1 : 0}`)
    }),
  ]
  findings.push(await proved('connections', () => examineConnections(client, config)))
  if (config.databaseUrl === null) return findings
  findings.push(await proved('clock', () => examineClock(client, clock)))
  if (config.replicaUrl === null) return findings
  return [...findings, await examineReplica(config.replicaUrl)]
}

/** Whether PostgreSQL lets in all processes of this start; those of other machines come on top. */
async function examineConnections(client: Client, config: Config): Promise<Finding> {
  const { rows } = await client.query<{ allowed: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS allowed`,
  )
  const allowed = rows[0]?.allowed ?? 0
  const { running, each, sum } = connectionsOf(config)
  const text = `${sum} at most of the ${allowed} that PostgreSQL allows (${running} × ${each})`
  if (sum <= allowed) return ok('connections', text)
  return warning(
    'connections',
    `${text}: lower DATABASE_POOL or PROCESSES, raise max_connections, or put PgBouncer between`,
  )
}

/** One that is away costs nothing but its help: no error. */
async function examineReplica(url: string): Promise<Finding> {
  const where = `the server at ${namesOfHosts(url)}`
  try {
    const follows = await asOwner(url, async (client) => {
      const { rows } = await client.query<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows')
      return rows[0]?.follows === true
    })
    if (follows) return ok('replica', `public data is read from ${where}`)
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
