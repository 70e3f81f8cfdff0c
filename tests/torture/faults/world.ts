import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres, type EmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { PAYMENT_ENVIRONMENT, PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { openPlace, type Place } from '../../upgrade/fleet.ts'
import type { Context, Seen } from '../actors.ts'
import { openGameSlot } from '../deliveries/setup.ts'
import { killPostgres } from '../kill.ts'
import { noTraffic, TurningClient, type Traffic } from './clients.ts'
import { clockEnvironment } from './clock-file.ts'
import { openProxy, type Proxy } from './proxy.ts'
import { openDisk } from './small-disk.ts'

/** The folder of the present program. */
export const PROGRAM = fileURLToPath(new URL('../../../', import.meta.url))
const GAME_SECRET = 'game-secret-of-the-torture'

export type WorldNeeds = {
  /** The processes of the portal take their time from a file. */
  clock?: boolean
  /** PostgreSQL lies on a small file system of its own. */
  disk?: boolean
  /** Connections of a process. */
  pool?: number
  /** Without it the fault brings workers of its own. */
  worker?: boolean
  environment?: Record<string, string>
  /** Starts servers of others, and says how the portal reaches them. */
  outside?: () => Promise<Outside>
}

export type Outside = { environment: Record<string, string>; close(): Promise<unknown> }

/** The server of the database as a service manager keeps it: whatever ends it, it is started again. */
export type PostgresPlace = {
  url(): string
  dataDir: string
  kill(): Promise<void>
  /** Ends and starts again, as at a restart of the machine. */
  restart(awayMs: number): Promise<void>
  /** Starts it again when it has ended. */
  keepUp(): Promise<void>
}

export type World = {
  folder: string
  /** Around the proxy: for judging and for what a fault does inside the database. */
  db: Db
  postgres: PostgresPlace
  toPostgres: Proxy
  toGame: Proxy
  webs: Place[]
  worker: Place | null
  game: ReturnType<typeof openGameSlot>
  gameDir: string
  environment: Record<string, string>
  context: Context
  seen: Seen[]
  traffic: Traffic
  client: TurningClient
  /** Another client of the same webs, counted by itself. */
  clientFor(traffic: Traffic): TurningClient
  clockFile: string | null
  /** Starts a worker where the faults brought their own. */
  ownWorker(): Promise<void>
  close(): Promise<void>
}

type Ends = (() => Promise<unknown>)[]

const open = new Set<() => Promise<void>>()

/** Ends what this process has started and not ended, when it has to end itself. */
export const closeWorlds = () => Promise.allSettled([...open].map((close) => close()))

/** Two webs, a worker, PostgreSQL and a game, with a proxy in front of each of the last two. */
export async function openWorld(needs: WorldNeeds): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-faults-'))
  const ends: Ends = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  const close = async () => {
    if (!open.delete(close)) return
    for (const end of ends.reverse()) await end()
  }
  open.add(close)
  try {
    return await start({ needs, folder, ends, close })
  } catch (error) {
    await close()
    throw error
  }
}

type Starting = { needs: WorldNeeds; folder: string; ends: Ends; close(): Promise<void> }

async function start({ needs, folder, ends, close }: Starting): Promise<World> {
  const postgresDir = join(folder, 'database')
  await mkdir(postgresDir)
  if (needs.disk) ends.push(await openDisk(postgresDir))
  const { postgres, proxy: toPostgres } = await startPostgres(postgresDir, ends)
  const gameDir = join(folder, 'game')
  const game = openGameSlot(gameDir)
  await game.start()
  ends.push(() => game.end())
  const toGame = await openProxy(Number(new URL(game.url()).port), 'any')
  ends.push(() => toGame.close())
  const outside = await needs.outside?.()
  if (outside) ends.push(() => outside.close())
  const clock = needs.clock ? await clockEnvironment(folder) : null
  const environment = {
    ...PAYMENT_ENVIRONMENT,
    DATABASE_URL: toPostgres.through(postgres.url()),
    DATABASE_POOL: String(needs.pool ?? 8),
    DEMO: '1',
    DEMO_PUBLIC: '1',
    GAME_SERVER_URL: toGame.through(game.url()),
    GAME_SERVER_SECRET: GAME_SECRET,
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    ...needs.environment,
    ...outside?.environment,
  }
  const fleet = { dataDir: folder, environment: { ...environment, ...clock?.environment } }
  const webs = [await openPlace('web', fleet), await openPlace('web', fleet)]
  const worker = needs.worker === false ? null : await openPlace('worker', fleet)
  for (const place of [...webs, ...(worker ? [worker] : [])]) ends.push(() => place.kill().catch(() => {}))
  const [first, ...others] = [...webs, ...(worker ? [worker] : [])]
  // The first one migrates.
  await first?.start(PROGRAM)
  await Promise.all(others.map((place) => place.start(PROGRAM)))
  const db = openDatabase({
    url: await openAppRole(postgres.url(), openLog('fatal')),
    log: openLog('fatal'),
    connectionsMax: 2,
    statementTimeoutMs: 60_000,
  })
  ends.push(() => db.destroy())
  const traffic = noTraffic()
  const urls = webs.map(({ port }) => `http://127.0.0.1:${port}`)
  const clientFor = (counted: Traffic) => new TurningClient(urls, counted)
  const client = clientFor(traffic)
  const seen: Seen[] = []
  return {
    folder,
    db,
    postgres,
    toPostgres,
    toGame,
    webs,
    worker,
    game,
    gameDir,
    // Of what a fault starts by itself; its clock is right.
    environment: { ...environment, DATA_DIR: folder },
    context: { client, sepaySecret: PAYMENT_KEYS.sepay, seen },
    seen,
    traffic,
    client,
    clientFor,
    clockFile: clock?.file ?? null,
    async ownWorker() {
      if (worker !== null) return
      const place = await openPlace('worker', fleet)
      ends.push(() => place.kill())
      await startPlace(place)
    },
    close,
  }
}

/** Starts the program at a place that has none. */
export const startPlace = (place: Place) => place.start(PROGRAM)

async function startPostgres(
  dataDir: string,
  ends: Ends,
): Promise<{ postgres: PostgresPlace; proxy: Proxy }> {
  const start = () => openEmbeddedPostgres({ dataDir, log: () => {} })
  let current: EmbeddedPostgres = await start()
  ends.push(() => current.stop())
  const portOf = () => Number(new URL(current.url).port)
  const proxy = await openProxy(portOf(), 'postgres')
  ends.push(() => proxy.close())

  async function keepUp(): Promise<void> {
    const former = current
    current = await start()
    // Ends a use that is counted, not the server: the new one is registered already.
    await former.stop()
    proxy.retarget(portOf())
  }

  const postgres: PostgresPlace = {
    url: () => current.url,
    dataDir,
    async kill() {
      await killPostgres(dataDir)
      await keepUp()
    },
    async restart(awayMs) {
      await current.stop()
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      current = await start()
      proxy.retarget(portOf())
    },
    keepUp,
  }
  return { postgres, proxy }
}
