import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openLog } from '#server/platform/log/log.ts'
import { byTcp } from '#tests/support/network.ts'
import { isNginxThere } from '#tests/support/nginx.ts'
import { isPgbouncerThere, startPgbouncer, type Pgbouncer } from '#tests/support/pgbouncer.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { nginxBalancer, type NginxBalancer } from '../../harness/balancer.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openFleet,
  startGame,
  type Ends,
  type Game,
  type Place,
} from '../../harness/fleet.ts'
import { openProxy, type Proxy } from '../../harness/proxy.ts'

/** What a cluster needs of the machine and does not find. */
export const missingPrograms = (): string[] =>
  [
    isNginxThere() ? '' : 'nginx and openssl',
    isPgbouncerThere() ? '' : 'pgbouncer',
    isSystemPostgresThere() ? '' : 'postgresql-15 or newer',
  ].filter(Boolean)

export type Size = { webs: number; workers: number; withStandby: boolean }

/** Everything that a portal of several machines consists of, each part as a process of its own. */
export type Cluster = {
  webs: Place[]
  workers: Place[]
  balancer: NginxBalancer
  pgbouncer: Pgbouncer
  /** The portal's own way to the database. */
  pooledUrl: string
  /** The address past PgBouncer, which moves with the server that takes writes. */
  direct: Proxy
  servers: { primary: SystemPostgres; standby: SystemPostgres | null }
  game: Game
  startPlace(place: Place): Promise<void>
}

const STARTS_MAX = 5

/** A start that fails, because the machine is too busy for its time-outs, is tried again as systemd does. */
async function startPlace(place: Place): Promise<void> {
  for (let left = STARTS_MAX; ; await sleep(1_000)) {
    try {
      return await place.start()
    } catch (error) {
      if (--left === 0) throw error
    }
  }
}

export async function openCluster(size: Size, ends: Ends): Promise<Cluster> {
  const folder = await newFolder(ends, 'cluster')
  const servers = await openServers(size, folder, ends)
  const { adminUrl, ownerUrl } = servers.primary
  const direct = await openProxy(servers.primary.port, 'any')
  ends.defer(() => direct.close())
  const adminOfPortal = Object.assign(new URL(adminUrl), { pathname: '/portal' }).href
  const pgbouncer = await startPgbouncer({ folder, adminUrl: adminOfPortal, directUrl: ownerUrl })
  ends.defer(async () => void (await pgbouncer.end('SIGKILL')))
  const game = await startGame(ends, join(folder, 'game'))
  const dataDir = join(folder, 'portal')
  await mkdir(dataDir)
  const environment: Record<string, string> = {}
  const { webs, workers } = await openFleet(ends, { dataDir, environment }, size)
  const balancer = await nginxBalancer(webs.map(({ port }) => port))
  ends.defer(() => balancer.close())
  Object.assign(environment, {
    ...DEMO_ENVIRONMENT,
    ...game.environment,
    DATABASE_URL: pgbouncer.url,
    DATABASE_DIRECT_URL: byTcp(ownerUrl, direct.port),
    STOP_DELAY: '3',
    LOG_LEVEL: 'warn',
    PUBLIC_URL: balancer.publicUrl,
  })
  // The first one migrates.
  await startPlace(webs[0] as Place)
  await Promise.all([...webs.slice(1), ...workers].map(startPlace))
  const appUrl = await openAppRole(ownerUrl, openLog('fatal'))
  const pooledUrl = Object.assign(new URL(appUrl), { port: String(pgbouncer.port) }).href
  return { webs, workers, balancer, pgbouncer, pooledUrl, direct, servers, game, startPlace }
}

async function openServers(size: Size, folder: string, ends: Ends): Promise<Cluster['servers']> {
  const primary = await SystemPostgres.open(folder, 'postgres-a')
  ends.defer(() => primary.stop())
  await primary.create()
  if (!size.withStandby) return { primary, standby: null }
  const standby = await SystemPostgres.open(folder, 'postgres-b')
  ends.defer(() => standby.stop())
  await standby.follow(primary)
  return { primary, standby }
}
