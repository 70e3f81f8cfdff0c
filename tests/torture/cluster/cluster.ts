import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openLog } from '#server/platform/log/log.ts'
import { openLink, type BreakableLink } from '#tests/support/breakable-link.ts'
import { startGameProcess, type GameProcess } from '#tests/support/game-process.ts'
import { isNginxThere } from '#tests/support/nginx.ts'
import { isPgbouncerThere, startPgbouncer, type Pgbouncer } from '#tests/support/pgbouncer.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { nginxDoor, type NginxDoor } from '../../upgrade/doors.ts'
import { openPlace, type Place } from '../../upgrade/fleet.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const GAME_SECRET = 'game-secret-of-the-cluster'
export const SEPAY_SECRET = 'sepay-secret-of-the-cluster'

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
  door: NginxDoor
  pgbouncer: Pgbouncer
  /** The portal's own way to the database. */
  pooledUrl: string
  /** The address past PgBouncer, which moves with the server that takes writes. */
  direct: BreakableLink
  servers: { primary: SystemPostgres; standby: SystemPostgres | null }
  game: { running: GameProcess; dataDir: string }
  startGame(): Promise<void>
  startPlace(place: Place): Promise<void>
  close(): Promise<void>
}

type Ends = (() => Promise<unknown>)[]

const STARTS_MAX = 5

/** A start that fails, because the machine is too busy for its time-outs, is tried again as systemd does. */
async function startPlace(place: Place): Promise<void> {
  for (let left = STARTS_MAX; ; await sleep(1_000)) {
    try {
      return await place.start(root)
    } catch (error) {
      if (--left === 0) throw error
    }
  }
}

export async function openCluster(size: Size): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-cluster-'))
  const ends: Ends = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  const close = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    return { ...(await open(size, folder, ends)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(size: Size, folder: string, ends: Ends): Promise<Omit<Cluster, 'close'>> {
  const servers = await openServers(size, folder, ends)
  const direct = await openLink(servers.primary.ownerUrl)
  ends.push(async () => direct.cut())
  const { adminUrl, ownerUrl } = servers.primary
  const adminOfPortal = Object.assign(new URL(adminUrl), { pathname: '/portal' }).href
  const pgbouncer = await startPgbouncer({ folder, adminUrl: adminOfPortal, directUrl: ownerUrl })
  ends.push(() => pgbouncer.end('SIGKILL'))
  const game = await openGame(folder, ends)
  const dataDir = join(folder, 'portal')
  await mkdir(dataDir)
  const fleet = { dataDir, environment: {} as Record<string, string> }
  const places = (kind: Place['kind'], count: number) =>
    Promise.all(Array.from({ length: count }, () => openPlace(kind, fleet)))
  const [webs, workers] = [await places('web', size.webs), await places('worker', size.workers)]
  const door = await nginxDoor(webs.map(({ port }) => port))
  ends.push(() => door.close())
  Object.assign(fleet.environment, {
    DATABASE_URL: pgbouncer.url,
    DATABASE_DIRECT_URL: direct.url,
    DEMO: '1',
    DEMO_PUBLIC: '1',
    GAME_SERVER_URL: game.running.url,
    GAME_SERVER_SECRET: GAME_SECRET,
    SEPAY_WEBHOOK_SECRET: SEPAY_SECRET,
    TRUST_PROXY: '127.0.0.1',
    STOP_DELAY: '3',
    LOG_LEVEL: 'warn',
    PUBLIC_URL: door.publicUrl,
  })
  ends.push(() => Promise.all([...webs, ...workers].map((place) => place.stop())))
  // The first one migrates.
  await startPlace(webs[0] as Place)
  await Promise.all([...webs.slice(1), ...workers].map(startPlace))
  const startGame = async () => {
    game.running = await startGameProcess({
      secret: GAME_SECRET,
      dataDir: game.dataDir,
      port: game.running.port,
    })
  }
  const appUrl = await openAppRole(ownerUrl, openLog('fatal'))
  const pooledUrl = Object.assign(new URL(appUrl), { port: String(pgbouncer.port) }).href
  return { webs, workers, door, pgbouncer, pooledUrl, direct, servers, game, startGame, startPlace }
}

async function openServers(size: Size, folder: string, ends: Ends): Promise<Cluster['servers']> {
  const primary = await SystemPostgres.open(folder, 'postgres-a')
  ends.push(() => primary.stop())
  await primary.create()
  if (!size.withStandby) return { primary, standby: null }
  const standby = await SystemPostgres.open(folder, 'postgres-b')
  ends.push(() => standby.stop())
  await standby.follow(primary)
  return { primary, standby }
}

async function openGame(folder: string, ends: Ends): Promise<Cluster['game']> {
  const dataDir = join(folder, 'game')
  const game = { dataDir, running: await startGameProcess({ secret: GAME_SECRET, dataDir }) }
  ends.push(() => game.running.end())
  return game
}
