import { join } from 'node:path'
import { childrenOf, runCommand, type PortalProcess } from '#tests/support/processes.ts'
import { type Answer, fetchOk, Client, portalThrough } from '../harness/client.ts'
import { newFolder, startDemoPortal } from '../harness/fleet.ts'
import { enterAll, type Actor } from '../harness/players.ts'
import { seeded } from '../harness/numbers.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { turnOnSecondFactor } from '#tests/support/players.ts'
import { withDatabase } from '../harness/verification.ts'
import { freePort } from '#tests/support/network.ts'
import { cpuMs } from '../harness/resources.ts'
import { Server } from './ledger/server.ts'

/** Runs `measure` against a portal of its own: a process, its embedded PostgreSQL, this machine as its trusted proxy. */
export async function withBenchPortal<Result>(
  measure: (portal: PortalProcess) => Promise<Result>,
  { environment = {}, size = null }: BenchOptions = {},
): Promise<Result> {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await newFolder(cleanup, 'bench')
  if (size !== null) await fillPortal({ DATA_DIR: dataDir }, size)
  return await measure(
    await startDemoPortal(cleanup, { dataDir, logFile: join(dataDir, 'portal.log'), environment }),
  )
}

export type Size = { players: number; entries: number }

/** `size`: what its database is filled with before it starts. */
type BenchOptions = { environment?: Record<string, string>; size?: Size | null }

/** `npm run portal -- fill …` on the database that the environment names. Answers what it printed. */
export async function fillPortal(environment: Record<string, string>, size: Size): Promise<string> {
  const words = ['fill', '--players', String(size.players), '--entries', String(size.entries)]
  const { code, output, errors } = await runCommand({ ownerUrl: '' }, words, { DEMO: '1', ...environment })
  if (code !== 0) throw new Error(`the database was not filled:\n${output}${errors}`)
  return output
}

export type BenchPlayer = { username: string; email: string; phone: string; password: string; token: string }

const PASSWORD = 'do-nhanh-cham-12'
let made = 0

/** An unused username as long as the players' names. */
export const aName = () => `do${Date.now().toString(36)}x${(++made).toString(36).padStart(4, '0')}`

export const aPhone = () => `09${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

export async function aBenchPlayer({ url }: PortalProcess): Promise<BenchPlayer> {
  const username = aName()
  const player = { username, email: `${username}@example.com`, phone: aPhone(), password: PASSWORD }
  const { body } = await fetchOk(url, { path: '/api/auth/register', body: { ...player, name: username } })
  return { ...player, token: body.access_token as string }
}

/** Activated players with TCoin and characters. */
export async function benchActors({ url }: PortalProcess, count: number, coins: number): Promise<Actor[]> {
  const context = { client: new Client(url), confirmed: [] }
  const names = Array.from({ length: count }, aName)
  return enterAll(context, names, seeded(Date.now()), coins)
}

export type Send = (path: string) => Promise<Answer>

/** The embedded database of a running portal; it stays open as long as the portal runs. */
export async function databaseOf({ dataDir }: PortalProcess): Promise<string> {
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  await embedded.stop()
  return embedded.url
}

/** An owner with several sessions, so that the limit of calls of one session does not distort the measurement. */
export function anOperator(portal: PortalProcess, databaseUrl: string): Promise<Send> {
  return withDatabase(databaseUrl, async (db) => {
    const { username, password, token } = await aBenchPlayer(portal)
    await grantRole(db, { username, role: 'owner' })
    const through = portalThrough(new Client(portal.url), db)
    const { recoveryCodes } = await turnOnSecondFactor(through, token)
    const tokens: string[] = []
    for (const otp of recoveryCodes) {
      const opened = await fetchOk(portal.url, {
        path: '/api/operator/session',
        body: { username, password, otp },
      })
      tokens.push(opened.body.access_token as string)
    }
    let turn = 0
    return (path) => fetchOk(portal.url, { path: `/api${path}`, token: tokens[turn++ % tokens.length] ?? '' })
  })
}

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
  await using cleanup = new AsyncDisposableStack()
  const server = await Server.start(cleanup)
  const ownerUrl = await server.addDatabase('measured')
  const yardUrl = await server.addDatabase('yardstick')
  const metricsPort = String(await freePort())
  const portal = await startDemoPortal(cleanup, {
    dataDir: await newFolder(cleanup, 'bench'),
    environment: { LOG_LEVEL: 'info', DATABASE_URL: ownerUrl, METRICS_PORT: metricsPort },
  })
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
