import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbeddedPostgres, type EmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { PAYMENT_ENVIRONMENT } from '#tests/support/payment-keys.ts'
import { Client, noTraffic, type Traffic } from '../../harness/client.ts'
import { clockEnvironment, killPostgres, openDisk } from '../../harness/faults.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openFleet,
  openSlot,
  openRunDatabase,
  startGame,
  type Cleanup,
} from '../../harness/fleet.ts'
import type { ConfirmedAct } from '../../harness/players.ts'
import { openProxy } from '../../harness/proxy.ts'

export type WorldNeeds = {
  /** The processes of the portal take their time from a file. */
  clock?: boolean
  /** PostgreSQL lies on a small file system of its own. */
  disk?: boolean
  /** Connections of a process. */
  pool?: number
  /** Without it the fault brings workers of its own. */
  worker?: boolean
  /** Starts servers of others, and answers how the portal reaches them. */
  outside?: (cleanup: Cleanup) => Promise<Record<string, string>>
}

export type World = Awaited<ReturnType<typeof start>> & { close(): Promise<void> }

const open = new Set<() => Promise<void>>()

/** Closes what this process has started and not ended, when it has to end itself. */
export const closeWorlds = () => Promise.allSettled([...open].map((close) => close()))

/** Two webs, a worker, PostgreSQL and a game, with a proxy in front of each of the last two. */
export async function openWorld(needs: WorldNeeds): Promise<World> {
  const cleanup = new AsyncDisposableStack()
  const close = async () => {
    open.delete(close)
    await cleanup.disposeAsync()
  }
  open.add(close)
  try {
    return { ...(await start(needs, cleanup)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function start(needs: WorldNeeds, cleanup: Cleanup) {
  const folder = await newFolder(cleanup, 'faults')
  const postgresDir = join(folder, 'database')
  await mkdir(postgresDir)
  if (needs.disk) cleanup.defer(await openDisk(postgresDir))
  const { postgres, proxy: toPostgres } = await startPostgres(postgresDir, cleanup)
  const game = await startGame(cleanup, join(folder, 'game'))
  const toGame = await openProxy(game.port, 'any')
  cleanup.defer(() => toGame.close())
  const outside = await needs.outside?.(cleanup)
  const clock = needs.clock ? await clockEnvironment(folder) : null
  const environment = {
    ...DEMO_ENVIRONMENT,
    ...PAYMENT_ENVIRONMENT,
    ...game.environment,
    DATABASE_URL: toPostgres.through(postgres.url()),
    DATABASE_POOL: String(needs.pool ?? 8),
    GAME_SERVER_URL: toGame.through(game.url),
    ...outside,
  }
  const options = {
    dataDir: folder,
    environment: { ...environment, ...clock?.environment },
    isKilledAtEnd: true,
  } as const
  const fleet = await openFleet(cleanup, options, { webs: 2, workers: needs.worker === false ? 0 : 1 })
  await fleet.start()
  const traffic = noTraffic()
  /** Another client of the same webs, counted by itself. */
  const clientFor = (counted: Traffic) => new Client(fleet.urls, { traffic: counted })
  const confirmed: ConfirmedAct[] = []
  return {
    /** Around the proxy: for verification and for what a fault does inside the database. */
    db: await openRunDatabase(cleanup, postgres.url()),
    postgres,
    toPostgres,
    toGame,
    webs: fleet.webs,
    workers: fleet.workers,
    game,
    /** Of what a fault starts by itself; its clock is right. */
    environment: { ...environment, DATA_DIR: folder },
    confirmed,
    traffic,
    client: clientFor(traffic),
    clientFor,
    clockFile: clock?.file ?? null,
    /** Starts a worker where the faults brought their own. */
    async ownWorker() {
      if (fleet.workers.length === 0) await (await openSlot(cleanup, 'worker', options)).start()
    },
  }
}

/** The server of the database under a service manager: whatever ends it, it is started again. */
async function startPostgres(dataDir: string, cleanup: Cleanup) {
  const start = () => openEmbeddedPostgres({ dataDir, log: () => {} })
  let current: EmbeddedPostgres = await start()
  cleanup.defer(() => current.stop())
  const portOf = () => Number(new URL(current.url).port)
  const proxy = await openProxy(portOf(), 'postgres')
  cleanup.defer(() => proxy.close())

  /** Starts it again when it has ended. */
  async function keepRunning(): Promise<void> {
    const former = current
    current = await start()
    // Stop a use that is counted, not the server: the new one is registered already.
    await former.stop()
    proxy.retarget(portOf())
  }

  const postgres = {
    url: () => current.url,
    dataDir,
    async kill() {
      await killPostgres(dataDir)
      await keepRunning()
    },
    /** Stops and starts again, as at a restart of the machine. */
    async restart(awayMs: number) {
      await current.stop()
      await sleep(awayMs)
      current = await start()
      proxy.retarget(portOf())
    },
    keepRunning,
  }
  return { postgres, proxy }
}
