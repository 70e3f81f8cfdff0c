import { setImmediate as turnOfLoop, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openPortalDatabase } from './database.ts'
import { wireDeps, type PortalDeps } from './deps.ts'
import { systemClock } from './platform/clock/clock.ts'
import { prepareDataDir } from './platform/data-dir.ts'
import { openLog, type Log } from './platform/log/log.ts'
import type { Loop } from './platform/jobs/loop.ts'
import { openMetricsServer, type MetricsServer } from './platform/metrics/metrics-server.ts'
import { startTracing } from './platform/tracing/start-tracing.ts'
import { readConfigWithSecrets } from './secrets.ts'
import { seedInstallation } from './seeding/index.ts'
import { startWorker } from './worker.ts'

export type Roles = { isWeb: boolean; isWorker: boolean }

export type Portal = {
  config: Config
  log: Log
  /** Drains requests and the worker, then closes the database. */
  stop(): Promise<void>
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
  const database = await openPortalDatabase(config, { log, clock: overrides.clock ?? systemClock })
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
    if (config.metrics !== null) metrics = await openMetricsServer(config.metrics)
    await seedInstallation(deps)
    const app = roles.isWeb ? await listen(deps) : null
    const loops = roles.isWorker ? startWorker(deps) : []
    return {
      config,
      log,
      async stop() {
        isStopping = true
        // A load balancer that asks /readyz sends nothing more here before the port is closed.
        if (app !== null) await sleep(config.stopDelayMs)
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

async function listen(deps: PortalDeps): Promise<FastifyInstance> {
  const app = await buildApp(deps)
  try {
    await app.listen({ host: deps.config.host, port: deps.config.port })
  } catch (error) {
    await app.close()
    throw error
  }
  return app
}

type Draining = { app: FastifyInstance | null; loops: Loop[]; log: Log }

/** Requests under way are answered and work under way is finished; what takes longer is left to its lease. */
async function drain({ app, loops, log }: Draining): Promise<void> {
  const finished = Promise.all([app?.close(), ...loops.map((loop) => loop.stop())])
  const outcome = await Promise.race([finished, sleep(DRAIN_MS, 'late', { ref: false })])
  if (outcome === 'late') log.warn('the drain took too long; what is left is picked up by its lease')
}
