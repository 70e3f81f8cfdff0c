import { childrenOf, startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { freePort } from '#tests/support/network.ts'
import { DEMO_ENVIRONMENT, newFolder } from '../harness/fleet.ts'
import { cpuMs } from './cpu-time.ts'
import { Server } from './ledger/server.ts'

export type Cost = { nodeMs: number; postgresMs: number; statements: number }

export type MeasuredPortal = {
  portal: PortalProcess
  ownerUrl: string
  /** A database beside it on the same server, for yardsticks. */
  yardUrl: string
  /** What its processes and PostgreSQL have spent so far, and how many statements they sent. */
  spent(): Promise<Cost>
  gatherStatistics(): Promise<void>
}

/** The portal of a demo with its access log, worker and game in one process, on a PostgreSQL that is measured apart. */
export async function withMeasuredPortal<Result>(
  work: (measured: MeasuredPortal) => Promise<Result>,
): Promise<Result> {
  await using ends = new AsyncDisposableStack()
  const server = await Server.start(ends)
  const ownerUrl = await server.addDatabase('measured')
  const yardUrl = await server.addDatabase('yardstick')
  const metricsPort = String(await freePort())
  const portal = await startPortalProcess({
    dataDir: await newFolder(ends, 'bench'),
    environment: {
      ...DEMO_ENVIRONMENT,
      LOG_LEVEL: 'info',
      DATABASE_URL: ownerUrl,
      METRICS_PORT: metricsPort,
    },
  })
  ends.defer(async () => void (await portal.end()))
  const spent = async () => ({
    nodeMs: await cpuMs([portal.pid, ...(await childrenOf(portal.pid))]),
    postgresMs: await server.cpuMs(),
    statements: await statementsOf(metricsPort),
  })
  const gatherStatistics = () => server.gatherStatistics('measured')
  return await work({ portal, ownerUrl, yardUrl, spent, gatherStatistics })
}

async function statementsOf(port: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.matchAll(/^portal_database_statements_total\{[^}]*\} (\d+)/gm)
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}
