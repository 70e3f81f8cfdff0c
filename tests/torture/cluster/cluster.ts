import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openLog } from '#server/platform/log/log.ts'
import { byTcp } from '#tests/support/network.ts'
import { isNginxThere } from '#tests/support/nginx.ts'
import { isPgbouncerThere, startPgbouncer } from '#tests/support/pgbouncer.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { nginxBalancer } from '../../harness/balancer.ts'
import {
  DEMO_ENVIRONMENT,
  type Cleanup,
  newFolder,
  openFleet,
  openRunDatabase,
  type Slot,
  startGame,
} from '../../harness/fleet.ts'
import { openProxy } from '../../harness/proxy.ts'
import { settle, verifyLoad, type LoadReport } from '../../harness/verification.ts'
import { isFailed, underLoad, type ClientLog } from '../../harness/load.ts'
import { runSteps, startSlot } from './faults.ts'

/** What a cluster needs of the machine and does not find. */
export const missingPrograms = (): string[] =>
  [
    isNginxThere() ? '' : 'nginx and openssl',
    isPgbouncerThere() ? '' : 'pgbouncer',
    isSystemPostgresThere() ? '' : 'postgresql-15 or newer',
  ].filter(Boolean)

export type Size = { webs: number; workers: number; withStandby: boolean }

/** Everything that a portal of several machines consists of, each part as a process of its own. */
export type Cluster = Awaited<ReturnType<typeof openCluster>>

type Servers = { primary: SystemPostgres; standby: SystemPostgres | null }

async function openCluster(size: Size, cleanup: Cleanup) {
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
  return {
    webs,
    workers,
    balancer,
    pgbouncer,
    /** The portal's own way to the database. */
    pooledUrl,
    /** The address past PgBouncer, which moves with the server that takes writes. */
    direct,
    servers,
    game,
  }
}

async function openServers(size: Size, folder: string, cleanup: Cleanup): Promise<Servers> {
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
  const cluster = await openCluster(options.size, cleanup)
  const { balancer } = cluster
  const load = { balancer, seed: options.seed, players: options.players, stayMs: STAY_MS }
  const { log, result: phases } = await underLoad(load, () => runSteps(cluster, options))
  options.say('faults are over')
  const db = await openRunDatabase(cleanup, cluster.servers.primary.ownerUrl)
  await sleep(500)
  const settleSeconds = await settle(db)
  const gameDir = cluster.game.dataDir
  const { trace } = balancer
  const report = await verifyLoad({ db, gameDir, log, phases, settleSeconds, isStrict: false, trace })
  for (const line of logOfFailures(cluster, log)) options.say(line)
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
