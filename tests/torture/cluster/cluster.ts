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
  type Cleanup,
  type Game,
  newFolder,
  openFleet,
  openRunDatabase,
  type Slot,
  startGame,
} from '../../harness/fleet.ts'
import { openProxy, type Proxy } from '../../harness/proxy.ts'
import { type LoadReport, settle, verifyLoad } from '../../harness/verification.ts'
import { isFailed, underLoad, type ClientLog } from '../../harness/load.ts'
import { seeded } from '../../harness/numbers.ts'
import { runSteps } from './faults.ts'

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
  webs: Slot[]
  workers: Slot[]
  balancer: NginxBalancer
  pgbouncer: Pgbouncer
  /** The portal's own way to the database. */
  pooledUrl: string
  /** The address past PgBouncer, which moves with the server that takes writes. */
  direct: Proxy
  servers: { primary: SystemPostgres; standby: SystemPostgres | null }
  game: Game
  startSlot(slot: Slot): Promise<void>
}

const STARTS_MAX = 5

/** A start that fails, because the machine is too busy for its time-outs, is tried again as systemd does. */
async function startSlot(slot: Slot): Promise<void> {
  for (let left = STARTS_MAX; ; await sleep(1_000)) {
    try {
      return await slot.start()
    } catch (error) {
      if (--left === 0) throw error
    }
  }
}

export async function openCluster(size: Size, cleanup: Cleanup): Promise<Cluster> {
  const folder = await newFolder(cleanup, 'cluster')
  const servers = await openServers(size, folder, cleanup)
  const { adminUrl, ownerUrl } = servers.primary
  const direct = await openProxy(servers.primary.port, 'any')
  cleanup.defer(() => direct.close())
  const adminOfPortal = Object.assign(new URL(adminUrl), { pathname: '/portal' }).href
  const pgbouncer = await startPgbouncer({ folder, adminUrl: adminOfPortal, directUrl: ownerUrl })
  cleanup.defer(async () => void (await pgbouncer.end('SIGKILL')))
  const game = await startGame(cleanup, join(folder, 'game'))
  const dataDir = join(folder, 'portal')
  await mkdir(dataDir)
  const environment: Record<string, string> = {}
  const { webs, workers } = await openFleet(cleanup, { dataDir, environment }, size)
  const balancer = await nginxBalancer(webs.map(({ port }) => port))
  cleanup.defer(() => balancer.close())
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
  await startSlot(webs[0] as Slot)
  await Promise.all([...webs.slice(1), ...workers].map(startSlot))
  const appUrl = await openAppRole(ownerUrl, openLog('fatal'))
  const pooledUrl = Object.assign(new URL(appUrl), { port: String(pgbouncer.port) }).href
  return { webs, workers, balancer, pgbouncer, pooledUrl, direct, servers, game, startSlot }
}

async function openServers(size: Size, folder: string, cleanup: Cleanup): Promise<Cluster['servers']> {
  const primary = await SystemPostgres.open(folder, 'postgres-a')
  cleanup.defer(() => primary.stop())
  await primary.create()
  if (!size.withStandby) return { primary, standby: null }
  const standby = await SystemPostgres.open(folder, 'postgres-b')
  cleanup.defer(() => standby.stop())
  await standby.follow(primary)
  return { primary, standby }
}

export type ClusterOptions = {
  seed: number
  players: number
  size: Size
  /** How long the load goes on under faults. */
  ms: number
  /** The faults to choose among; all when left out. */
  only?: readonly string[]
  say(line: string): void
}

/** So long a player stays; then a new one registers, pays and activates. */
const STAY_MS = 90_000

/** A whole cluster under mixed load while each of its parts is killed or restarted in turn. */
export async function tortureCluster(options: ClusterOptions): Promise<LoadReport> {
  const missing = missingPrograms()
  if (missing.length > 0) throw new Error(`Install what a cluster needs here: ${missing.join(', ')}.`)
  await using cleanup = new AsyncDisposableStack()
  return await run(await openCluster(options.size, cleanup), options)
}

async function run(cluster: Cluster, { seed, players, ms, only, say }: ClusterOptions) {
  const { balancer } = cluster
  const { log, result: phases } = await underLoad({ balancer, seed, players, stayMs: STAY_MS }, () =>
    runSteps(cluster, { random: seeded(seed + 7), ms, say, ...(only ? { only } : {}) }),
  )
  say('faults are over')
  await using cleanup = new AsyncDisposableStack()
  const db = await openRunDatabase(cleanup, cluster.servers.primary.ownerUrl)
  await sleep(500)
  const settleSeconds = await settle(db)
  const gameDir = cluster.game.dataDir
  const { trace } = balancer
  const report = await verifyLoad({ db, gameDir, log, phases, settleSeconds, isStrict: false, trace })
  for (const line of logOfFailures(cluster, log)) say(line)
  return report
}

/** The portal's log lines of the requests that it refused with an error. */
function logOfFailures({ webs }: Cluster, { attempts }: ClientLog): string[] {
  const ids = new Set<string | undefined>(attempts.filter(isFailed).map(({ requestId }) => requestId))
  const idOf = (line: string) => /"requestId":"([^"]+)"/.exec(line)?.[1]
  return webs.flatMap((slot) =>
    slot
      .output()
      .split('\n')
      .filter((line) => ids.has(idOf(line))),
  )
}
