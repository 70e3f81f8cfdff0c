import cluster from 'node:cluster'
import { once } from 'node:events'
import { setImmediate as turnOfLoop, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Loop } from '#server/platform/jobs/loop.ts'
import { openLog, type Log } from '#server/platform/log/log.ts'
import {
  openMetricsServer,
  type MetricsAddress,
  type MetricsServer,
} from '#server/platform/metrics/metrics-server.ts'
import { prepareDataDir } from '#server/platform/process/data-dir.ts'
import { ownPlace } from '#server/platform/process/identity.ts'
import { startTracing } from '#server/platform/tracing/environment.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { buildApp } from '../app/app.ts'
import { wireDeps, type PortalDeps } from '../app/deps.ts'
import type { Config } from '../config/config.ts'
import { readConfigWithSecrets } from '../config/secrets.ts'
import { seedInstallation } from '../seeding/index.ts'
import { printWelcome, report } from './announcements.ts'
import { openPortalDatabase } from './database.ts'
import type { Roles } from './roles.ts'
import { stopOnSignals } from './shutdown.ts'
import { startWorker } from './worker.ts'

export type Portal = {
  config: Config
  log: Log
  /** Drains requests and the worker, then closes the database; first STOP_DELAY passes, unless that is no use. */
  stop(how?: { withDelay: boolean }): Promise<void>
}

const DRAIN_MS = 9_000

/** Starts one portal process. Rejects, with nothing left running, when a part cannot start. */
export async function startPortal(
  environment: NodeJS.ProcessEnv,
  roles: Roles,
  overrides: Partial<PortalDeps> = {},
): Promise<Portal> {
  const config = await readConfigWithSecrets(environment)
  const log = openLog(config.logLevel)
  // The worker writes mails there; an embedded database prepares its folder itself.
  if (roles.isWorker && config.smtp === null) await prepareDataDir(config.dataDir)
  const database = await openPortalDatabase(config, {
    log,
    clock: overrides.clock ?? systemClock,
    isServing: true,
  })
  const endTraces = await startTracing(config.tracing, log)
  let isStopping = false
  let metrics: MetricsServer | null = null
  const deps = wireDeps({
    config,
    log,
    database,
    overrides: { isStopping: () => isStopping, withPages: roles.isWeb, ...overrides },
  })
  try {
    if (config.metrics !== null) metrics = await openMetricsServer(ownAddress(config.metrics))
    await seedInstallation(deps)
    const app = roles.isWeb ? await buildApp(deps) : null
    forgetStart()
    if (app !== null) await listen(app, config)
    const loops = roles.isWorker ? startWorker(deps) : []
    return {
      config,
      log,
      async stop({ withDelay } = { withDelay: true }) {
        isStopping = true
        // A load balancer that reads /readyz sends nothing more here before the port is closed.
        if (app !== null && withDelay) await sleep(config.stopDelayMs)
        // What arrived during the delay is accepted and read before idle connections are closed: on a busy machine the
        // delay is over before the loop has looked.
        for (let turn = 0; turn < 3; turn++) await turnOfLoop()
        await drain({ app, loops, log })
        await endTraces()
        await metrics?.close()
        await database.close()
      },
    }
  } catch (error) {
    await endTraces()
    await metrics?.close()
    await database.close()
    throw error
  }
}

/** Each process of several has a port of its own: the worker METRICS_PORT, the web processes those that follow. */
const ownAddress = (address: MetricsAddress): MetricsAddress => ({
  ...address,
  port: address.port + (ownPlace?.number ?? 0),
})

/** A process of several listens through its primary, and would wait for ever for one that is gone. */
async function endOfPrimary(): Promise<never> {
  if (!cluster.isWorker) return new Promise(() => {})
  if (process.connected) await once(process, 'disconnect')
  throw new Error('the primary has ended')
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await Promise.race([app.listen({ host, port }), endOfPrimary()])
  } catch (error) {
    await app.close()
    throw error
  }
}

/**
 * Gives back what only the start needed, code too, which else stays for hours where little happens: 25 MB of 170. A fifth
 * of a second, before anybody is answered; where Node was started without `--expose-gc`, nothing.
 */
function forgetStart(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

type Draining = { app: FastifyInstance | null; loops: Loop[]; log: Log }

/** Requests under way are answered and work under way is finished; what takes longer is left to its lease. */
async function drain({ app, loops, log }: Draining): Promise<void> {
  const finished = Promise.all([app?.close(), ...loops.map((loop) => loop.stop())])
  const outcome = await Promise.race([finished, sleep(DRAIN_MS, 'late', { ref: false })])
  if (outcome === 'late') log.warn('the drain took too long; what is left is picked up by its lease')
}

/** The portal in this process alone. */
export async function runAlone(roles: Roles, overrides: Partial<PortalDeps>): Promise<void> {
  const starting = startPortal(process.env, roles, overrides)
  stopOnSignals(starting)
  const portal = await starting
  await report(portal)
  if (roles.isWeb) printWelcome(portal.config)
  else process.stderr.write('The worker of Cổng Ninja runs.\n')
}
