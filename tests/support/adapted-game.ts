import { randomUUID } from 'node:crypto'
import { startAdapter, type Adapter } from '#game-adapter/adapter.ts'
import { readConfig, type Config } from '#game-adapter/config.ts'
import { detect } from '#game-adapter/detect/detect.ts'
import { install } from '#game-adapter/install.ts'
import { openLog } from '#game-adapter/log.ts'
import type { Good } from '#contract/deliveries.ts'
import { signGameCall } from '#contract/game/signature.ts'
import { fillGame, TEST_ACCOUNT, type FillOptions } from './game-shapes.ts'
import type { TestMysql, TestMysqlDatabase } from './mysql.ts'

export const ADAPTER_SECRET = 'the-secret-of-the-adapter'

export type AdaptedGame = Adapter & {
  config: Config
  database: TestMysqlDatabase
  /** What `detect` said before the installation. */
  findings: string[]
  logged: string[]
}

export type GameCall = { method?: 'GET' | 'PUT' | 'POST'; path: string; body?: unknown; secret?: string }

type Proposed = { config: Config; findings: string[]; file: Record<string, unknown> }

/** The configuration that `detect` proposes for this database, ready to be served on any port. */
export async function detectedConfig(url: string): Promise<Proposed> {
  const { file, findings } = await detect(url)
  const config = readConfig({ ...file, port: 0, database: url, secret: ADAPTER_SECRET }, {})
  return { config, findings, file }
}

/** A new database in one of the shapes, filled, detected and installed. */
export async function installedGame(mysql: TestMysql, fill: FillOptions) {
  const database = await mysql.createDatabase()
  await fillGame(database.url, fill)
  const { config, findings } = await detectedConfig(database.url)
  await install(config, { isCarriedOut: true, print: () => {} })
  return { database, config, findings }
}

export async function startAdaptedGame(mysql: TestMysql, fill: FillOptions): Promise<AdaptedGame> {
  const game = await installedGame(mysql, fill)
  const logged: string[] = []
  const adapter = await startAdapter(
    game.config,
    openLog((line) => void logged.push(line)),
  )
  return { ...adapter, ...game, logged }
}

/** One signed call, as the portal makes it. */
export async function callGame(
  url: string,
  { method = 'GET', path, body, secret = ADAPTER_SECRET }: GameCall,
): Promise<{ status: number; body: any }> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const signature = signGameCall(secret, Math.floor(Date.now() / 1000), {
    method,
    path,
    ...(text === undefined ? {} : { body: text }),
  })
  const answer = await fetch(url + path, {
    method,
    headers: { 'x-portal-signature': signature, 'content-type': 'application/json' },
    ...(text === undefined ? {} : { body: text }),
  })
  return { status: answer.status, body: await answer.json() }
}

export const charactersOf = async (url: string, account: string, serverId = '1') =>
  (await callGame(url, { path: `/v1/characters?server_id=${serverId}&account=${account}` })).body as {
    id: string
    name: string
    head: number
    level: number
  }[]

/** `limit`: how many rows, and whatever else is asked for. */
export const rankingOf = async (url: string, board: string, limit: number | string = 1_000, serverId = '1') =>
  (await callGame(url, { path: `/v1/rankings/${board}?server_id=${serverId}&limit=${limit}` })).body as {
    name: string
    level: number
    value: number
    account: string
  }[]

type Wishes = { id?: string; account?: string; characterId: string; goods?: Good[]; serverId?: string }

/** A delivery, by default of one luong to the test account. */
export async function deliverTo(
  url: string,
  {
    id = randomUUID(),
    account = TEST_ACCOUNT,
    characterId,
    goods = [{ kind: 'luong', quantity: 1 }],
    serverId = '1',
  }: Wishes,
) {
  const body = { server_id: serverId, account, character_id: characterId, goods }
  const answer = await callGame(url, { method: 'PUT', path: `/v1/deliveries/${id}`, body })
  return { id, ...answer }
}
