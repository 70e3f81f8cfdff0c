import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import type { FaultSettings } from '#game-server/faults.ts'
import { anAddress } from '#tests/support/addresses.ts'
import { startGameProcess, type GameProcess } from '#tests/support/game-process.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type Portal } from '#tests/support/players.ts'
import { startPortalProcess } from '#tests/support/portal-process.ts'
import { PortalClient } from '../portal-client.ts'

const SECRET = 'game-secret-of-the-torture'

/** A player as the game and the portal know them. */
export type Buyer = {
  username: string
  token: string
  walletId: string
  /** TCoin in the wallet at the beginning. */
  coins: number
  characterIds: string[]
}

export type Setup = {
  db: Db
  /** One for each portal process; they share the database. */
  clients: PortalClient[]
  buyers: Buyer[]
  operatorTokens: string[]
  game: GameProcess
  gameDir: string
  gameSecret: string
  /** What a portal process and a worker need in their environment. */
  environment: Record<string, string>
  change(faults: FaultSettings): Promise<void>
  /** How many calls met each fault so far. */
  faultsMet(): Promise<Record<string, number>>
  /** kill -9 of the game, and a new one on its journal, with the same faults. */
  killGame(): Promise<void>
  close(): Promise<void>
}

export type SetupOptions = {
  webs: number
  buyers: number
  operators: number
}

const COINS = 20_000_000

/** PostgreSQL, portal processes, the game as its own process, and people with TCoin; all faults still off. */
export async function openSetup(options: SetupOptions): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-deliveries-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  const close = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    return await startSetup({ options, folder, ends, close })
  } catch (error) {
    await close()
    throw error
  }
}

type Starting = {
  options: SetupOptions
  folder: string
  ends: (() => Promise<unknown>)[]
  close: () => Promise<void>
}

async function startSetup({ options, folder, ends, close }: Starting): Promise<Setup> {
  const ownerUrl = await ownPostgres(folder, ends)
  const gameDir = join(folder, 'game')
  const game = openGameSlot(gameDir)
  await game.start()
  ends.push(() => game.end())
  const environment = {
    DATABASE_URL: ownerUrl,
    DATA_DIR: folder,
    GAME_SERVER_URL: game.url(),
    GAME_SERVER_SECRET: SECRET,
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'fatal',
  }
  const webs: string[] = []
  // One after the other: the first one migrates.
  for (let web = 0; web < options.webs; web++) {
    const portal = await startPortalProcess({ dataDir: folder, environment, arguments: ['--web'] })
    ends.push(() => portal.end())
    webs.push(portal.url)
  }
  const clients = webs.map((url) => new PortalClient(url))
  const db = openDatabase({
    url: await openAppRole(ownerUrl, openLog('fatal')),
    log: openLog('fatal'),
    connectionsMax: 4,
  })
  ends.push(() => db.destroy())
  const portal = portalThrough(clients[0] as PortalClient, db)
  const buyers = await Promise.all(Array.from({ length: options.buyers }, () => aBuyer(portal)))
  const operators = await Promise.all(
    Array.from({ length: options.operators }, () => anOperator(portal, 'cashier')),
  )
  return {
    db,
    clients,
    buyers,
    gameDir,
    environment,
    close,
    gameSecret: SECRET,
    operatorTokens: operators.map(({ token }) => token),
    get game() {
      return game.process()
    },
    change: (faults) => game.change(faults),
    faultsMet: () => game.faultsMet(),
    killGame: () => game.kill(),
  }
}

async function ownPostgres(folder: string, ends: Starting['ends']): Promise<string> {
  const postgres = await openEmbeddedPostgres({ dataDir: folder, log: () => {} })
  ends.push(() => postgres.stop())
  return postgres.url
}

/** The helpers of the tests, through the portal's port. */
function portalThrough(client: PortalClient, db: Db): Portal {
  return {
    db,
    async call(method, path, { token, body, key, from = anAddress(), headers } = {}) {
      const request = { method: method as 'GET' | 'POST', path, from }
      const answer = await client.untilDefinite({
        ...request,
        ...(token === undefined ? {} : { token }),
        ...(body === undefined ? {} : { body }),
        ...(key === undefined ? {} : { key }),
        ...(headers === undefined ? {} : { headers }),
      })
      return { status: answer.status, body: answer.body, headers: {} }
    },
  }
}

async function aBuyer(portal: Portal): Promise<Buyer> {
  const { username, token, walletId } = await aPlayer(portal, { coins: COINS, isActivated: true })
  const { body } = await portal.call('GET', '/api/exchange', { token })
  const characterIds = (body as { characters: { id: string }[] }).characters.map(({ id }) => id)
  if (characterIds.length < 3) throw new Error(`${username} has ${characterIds.length} characters`)
  return { username, token, walletId, coins: COINS, characterIds }
}

/** The game's address, whichever process is listening there. */
export function openGameSlot(dataDir: string) {
  let process: GameProcess | null = null
  let faults: FaultSettings | null = null
  const met: Record<string, number> = {}
  const current = () => {
    if (!process) throw new Error('the game is not up')
    return process
  }

  async function start(port?: number): Promise<void> {
    const options = { secret: SECRET, dataDir, arguments: ['--control', '0'] }
    process = await startGameProcess({ ...options, ...(port === undefined ? {} : { port }) })
    if (faults) await change(faults)
  }

  async function change(wanted: FaultSettings): Promise<void> {
    faults = wanted
    const answer = await fetch(`${current().controlUrl}/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
    })
    if (!answer.ok) throw new Error(`the faults were refused: ${await answer.text()}`)
  }

  async function metNow(): Promise<Record<string, number>> {
    const answer = await fetch(`${current().controlUrl}/faults`)
    return ((await answer.json()) as { met: Record<string, number> }).met
  }

  const add = (more: Record<string, number>) => {
    for (const [fault, times] of Object.entries(more)) met[fault] = (met[fault] ?? 0) + times
  }

  return {
    start: () => start(),
    process: current,
    url: () => current().url,
    change,
    async faultsMet() {
      add(await metNow())
      return met
    },
    async kill() {
      const { port, end } = current()
      add(await metNow())
      await end('SIGKILL')
      // The new one would live through the same luck as the old one did from its start.
      if (faults) faults = { ...faults, seed: faults.seed + 1 }
      await start(port)
    },
    end: () => current().end(),
  }
}
