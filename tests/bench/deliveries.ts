import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_FAULTS, FAULTS, type FaultSettings } from '#game-server/faults.ts'
import { anAddress } from '#tests/support/addresses.ts'
import { startGameProcess, type GameProcess } from '#tests/support/game-process.ts'
import type { PortalProcess } from '#tests/support/portal-process.ts'
import { enter, type Actor } from '../torture/actors.ts'
import { PortalClient } from '../torture/portal-client.ts'
import { seeded } from '../torture/random.ts'
import { inHundredths, inMs, median, quantile, withBenchPortal } from './bench-portal.ts'
import type { Probed } from './prober.ts'
import { probe } from './probing.ts'

type RouteFigures = {
  /** One of each pair after the other. */
  fairP99Ms: number[]
  stormP99Ms: number[]
  medianRatio: number
  medianDifferenceMs: number
  isWithin: boolean
}

export type DeliveriesReport = {
  pairs: number
  purchases: number
  faultsMet: Record<string, number>
  routes: Record<string, RouteFigures>
  isWithin: boolean
}

const SECRET = 'game-secret-of-the-bench'
const BUYERS = 8
const COINS = 40_000_000
const PRICE = 10_000
/** Between two purchases of one player; together they buy some thirty a second. */
const PAUSE_MS = 250
const MANY_FAULTS: FaultSettings = { kinds: [...FAULTS], rate: 0.5, seed: 1, slowMs: 5_000 }
const PURCHASE = 'POST /api/exchange/store'
const LOOKS = ['/api/user/deliveries', '/api/exchange']
const RATIO_MAX = 1.2
const DIFFERENCE_MS_MAX = 10

/** What players feel of a game that does everything wrong: portal and worker in one process, pairs interleaved. */
export async function benchDeliveries(wanted: { pairs: number; seconds: number }): Promise<DeliveriesReport> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-bench-game-'))
  const options = { secret: SECRET, dataDir: folder, arguments: ['--control', '0'] }
  const game = await startGameProcess(options)
  const environment = { GAME_SERVER_URL: game.url, GAME_SERVER_SECRET: SECRET }
  try {
    return await withBenchPortal((portal) => measure(portal, game, wanted), { environment })
  } finally {
    await game.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(
  portal: PortalProcess,
  game: GameProcess,
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<DeliveriesReport> {
  const buyers = await theBuyers(portal)
  const under = async (faults: FaultSettings) => {
    await change(game, faults)
    return felt(portal, buyers, seconds * 1_000)
  }
  // Once for nothing: connections, caches and compiled code are there for every measurement.
  await under(NO_FAULTS)
  const fair: Probed[] = []
  const storm: Probed[] = []
  for (let pair = 0; pair < pairs; pair++) {
    // Each goes first as often as the other.
    const runs = [
      async () => fair.push(await under(NO_FAULTS)),
      async () => storm.push(await under(MANY_FAULTS)),
    ]
    for (const run of pair % 2 === 0 ? runs : runs.reverse()) await run()
  }
  const answer = await fetch(`${game.controlUrl}/faults`)
  const { met } = (await answer.json()) as { met: Record<string, number> }
  const paths = Object.keys(fair[0] ?? {})
  const routes = Object.fromEntries(paths.map((path) => [path, figures(fair, storm, path)]))
  return {
    pairs,
    purchases: [...fair, ...storm].reduce((sum, run) => sum + (run[PURCHASE]?.length ?? 0), 0),
    faultsMet: met,
    routes,
    isWithin: Object.values(routes).every(({ isWithin }) => isWithin),
  }
}

function figures(fair: readonly Probed[], storm: readonly Probed[], path: string): RouteFigures {
  const p99 = (run: Probed) => quantile(run[path] ?? [], 0.99)
  const [fairP99, stormP99] = [fair.map(p99), storm.map(p99)]
  const pairs = fairP99.map((value, pair) => ({ fair: value, storm: stormP99[pair] ?? Number.NaN }))
  const ratio = median(pairs.map((pair) => pair.storm / pair.fair))
  const difference = median(pairs.map((pair) => pair.storm - pair.fair))
  return {
    fairP99Ms: fairP99.map(inMs),
    stormP99Ms: stormP99.map(inMs),
    medianRatio: inHundredths(ratio),
    medianDifferenceMs: inMs(difference),
    isWithin: ratio <= RATIO_MAX || difference <= DIFFERENCE_MS_MAX,
  }
}

async function theBuyers({ url, dataDir }: PortalProcess): Promise<Actor[]> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
  const client = new PortalClient(url)
  const context = { client, sepaySecret: secrets.SEPAY_WEBHOOK_SECRET ?? '', seen: [] }
  const random = seeded(Date.now())
  const buyers: Actor[] = []
  for (let buyer = 0; buyer < BUYERS; buyer++) {
    buyers.push(await enter(context, `muahang${Date.now().toString(36)}${buyer}`, random, COINS))
  }
  return buyers
}

async function change({ controlUrl }: GameProcess, faults: FaultSettings): Promise<void> {
  await fetch(`${controlUrl}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })
}

/** What visitors feel, and the buyers themselves. */
async function felt(portal: PortalProcess, buyers: readonly Actor[], ms: number): Promise<Probed> {
  const noted: Probed = { [PURCHASE]: [], ...Object.fromEntries(LOOKS.map((path) => [path, []])) }
  const probed = await probe({ url: portal.url, token: buyers[0]?.token ?? '' }, async () => {
    const end = performance.now() + ms
    await Promise.all(buyers.map((buyer, index) => buyOn(portal, buyer, { end, index, noted })))
  })
  return { ...probed, ...noted }
}

type Buying = { end: number; index: number; noted: Probed }

/** Buys, looks at what was bought and at what else there is, and again. */
async function buyOn({ url }: PortalProcess, buyer: Actor, { end, index, noted }: Buying): Promise<void> {
  const timed = async (name: string, path: string, request: RequestInit) => {
    const start = performance.now()
    const headers = {
      ...request.headers,
      authorization: `Bearer ${buyer.token}`,
      'x-forwarded-for': anAddress(),
    }
    const answer = await fetch(url + path, { ...request, headers })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${name} was answered ${answer.status}`)
    noted[name]?.push(performance.now() - start)
  }
  await sleep((PAUSE_MS * index) / BUYERS)
  for (let purchase = 0; performance.now() < end; purchase++) {
    const body = { character_id: buyer.characterIds[purchase % buyer.characterIds.length], amount: PRICE }
    await timed(PURCHASE, '/api/exchange/store', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    })
    for (const path of LOOKS) await timed(path, path, {})
    await sleep(PAUSE_MS)
  }
}
