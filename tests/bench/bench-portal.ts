import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { inspectEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import { freePort } from '#tests/support/network.ts'
import { turnOnSecondFactor } from '#tests/support/players.ts'
import { runCommand, type PortalProcess } from '#tests/support/processes.ts'
import { type Answer, Client, fetchOk, portalThrough, type Request } from '../harness/client.ts'
import { newFolder, startDemoPortal } from '../harness/fleet.ts'
import { seeded } from '../harness/numbers.ts'
import { enterAll, type Actor } from '../harness/players.ts'
import { cpuMs, metricsAt, processesOf, treeCpuMs } from '../harness/resources.ts'
import { withDatabase } from '../harness/verification.ts'

/** Milliseconds of processor time of the portal and of PostgreSQL, and statements sent. */
export type Cost = { nodeMs: number; postgresMs: number; statements: number }

export type BenchPortal = PortalProcess & {
  /** The owner's connection string of its database. */
  databaseUrl: string
  /** So far. */
  spent(): Promise<Cost>
  /** The sum of those lines of its metrics that match. */
  counted(line: RegExp): Promise<number>
}

export type Size = { players: number; entries: number }

/** `size`: what its database is filled with before it starts. */
type BenchOptions = { environment?: Record<string, string>; size?: Size }

/** Runs `measure` against a portal of its own: a process, its embedded PostgreSQL, this machine as its trusted proxy. */
export async function withBenchPortal<Result>(
  measure: (portal: BenchPortal) => Promise<Result>,
  { environment, size }: BenchOptions = {},
): Promise<Result> {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await newFolder(cleanup, 'bench')
  if (size !== undefined) await fillPortal({ DATA_DIR: dataDir }, size)
  const metricsPort = await freePort()
  const portal = await startDemoPortal(cleanup, {
    dataDir,
    logFile: join(dataDir, 'portal.log'),
    environment: { METRICS_PORT: String(metricsPort), ...environment },
  })
  const found = await inspectEmbeddedPostgres(dataDir)
  if (typeof found === 'string') throw new Error('the portal has no database of its own')
  const counted = async (line: RegExp) => (await metricsAt(metricsPort))(line)
  const spent = async () => {
    const { node, postmaster } = await processesOf(portal)
    return {
      nodeMs: await cpuMs(node),
      postgresMs: await treeCpuMs(postmaster),
      statements: await counted(/^portal_database_statements_total\{/),
    }
  }
  return await measure({ ...portal, databaseUrl: found.url, spent, counted })
}

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
const aName = () => `do${Date.now().toString(36)}x${(++made).toString(36).padStart(4, '0')}`

/** What nobody has registered with. */
export function aNewcomer() {
  const username = aName()
  const phone = `09${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  return { username, email: `${username}@example.com`, phone, password: PASSWORD }
}

export async function aBenchPlayer({ url }: PortalProcess): Promise<BenchPlayer> {
  const player = aNewcomer()
  const body = { ...player, name: player.username }
  const registered = await fetchOk(url, { path: '/api/auth/register', body })
  return { ...player, token: registered.body.access_token as string }
}

export async function benchPlayers(portal: PortalProcess, count: number): Promise<BenchPlayer[]> {
  const players: BenchPlayer[] = []
  while (players.length < count) players.push(await aBenchPlayer(portal))
  return players
}

/** Activated players with TCoin and characters. */
export async function benchActors({ url }: PortalProcess, count: number, coins: number): Promise<Actor[]> {
  const context = { client: new Client(url), confirmed: [] }
  return enterAll(context, { name: aName(), count, coins }, seeded(Date.now()))
}

export const PRICE = 10_000

export const purchaseFor = (token: string, characterId: string | undefined): Request => ({
  path: '/api/exchange/store',
  token,
  key: randomUUID(),
  body: { character_id: characterId, amount: PRICE },
})

/** A GET, or a POST where there is a body. */
export type Send = (path: string, body?: object) => Promise<Answer>

/** An owner with several sessions, so that the limit of calls of one session does not distort the measurement. */
export function anOperator(portal: PortalProcess, databaseUrl: string): Promise<Send> {
  return withDatabase(databaseUrl, async (db) => {
    const { username, password, token } = await aBenchPlayer(portal)
    await grantRole(db, { username, role: 'owner' })
    const through = portalThrough(new Client(portal.url), db)
    const { recoveryCodes } = await turnOnSecondFactor(through, token)
    const tokens: string[] = []
    for (const otp of recoveryCodes) {
      const body = { username, password, otp }
      const opened = await fetchOk(portal.url, { path: '/api/operator/session', body })
      tokens.push(opened.body.access_token as string)
    }
    let turn = 0
    return (path, body) =>
      fetchOk(portal.url, { path: `/api${path}`, token: tokens[turn++ % tokens.length] ?? '', body })
  })
}
