import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_FAULTS, FAULTS, type FaultSettings } from '#game-server/faults.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchOk } from '../harness/client.ts'
import { newFolder, startGame, type Game } from '../harness/fleet.ts'
import type { Actor } from '../harness/players.ts'
import { inMs, inTurn, quantile, slowerBy, sum } from '../harness/numbers.ts'
import { benchActors, withBenchPortal } from './bench-portal.ts'
import { probe, type Probed } from './probe.ts'

const BUYERS = 8
const COINS = 40_000_000
const PRICE = 10_000
/** Between two purchases of one player; together they buy some thirty a second. */
const PAUSE_MS = 250
const MANY_FAULTS: FaultSettings = { kinds: [...FAULTS], rate: 0.5, seed: 1, slowMs: 5_000 }
const PURCHASE = 'POST /api/exchange/store'
const READS = ['/api/user/deliveries', '/api/exchange']
const SLOWER_MAX = { ratio: 1.2, ms: 10 }

/** What players feel of a game that does everything wrong: portal and worker in one process, pairs interleaved. */
export async function benchDeliveries(options: { pairs: number; seconds: number }) {
  await using cleanup = new AsyncDisposableStack()
  const game = await startGame(cleanup, join(await newFolder(cleanup, 'bench-game'), 'game'))
  const { environment } = game
  return await withBenchPortal((portal) => measure(portal, game, options), { environment })
}

async function measure(
  portal: PortalProcess,
  game: Game,
  { pairs, seconds }: { pairs: number; seconds: number },
) {
  const buyers = await benchActors(portal, BUYERS, COINS)
  const under = async (faults: FaultSettings) => {
    await game.change(faults)
    return felt(portal, buyers, seconds * 1_000)
  }
  // Once for nothing: connections, caches and compiled code are there for every measurement.
  await under(NO_FAULTS)
  const [fair, failing] = await inTurn(
    pairs,
    () => under(NO_FAULTS),
    () => under(MANY_FAULTS),
  )
  const paths = Object.keys(fair[0] ?? {})
  const routes = Object.fromEntries(paths.map((path) => [path, figures(fair, failing, path)]))
  return {
    pairs,
    purchases: sum([...fair, ...failing].map((run) => run[PURCHASE]?.length ?? 0)),
    faultsMet: await game.faultsMet(),
    routes,
    isWithin: Object.values(routes).every(({ isWithin }) => isWithin),
  }
}

function figures(fair: readonly Probed[], failing: readonly Probed[], path: string) {
  const p99 = (run: Probed) => quantile(run[path] ?? [], 0.99)
  const [fairP99, failingP99] = [fair.map(p99), failing.map(p99)]
  return {
    fairP99Ms: fairP99.map(inMs),
    failingP99Ms: failingP99.map(inMs),
    ...slowerBy(fairP99, failingP99, SLOWER_MAX),
  }
}

/** What visitors feel, and the buyers themselves. */
async function felt(portal: PortalProcess, buyers: readonly Actor[], ms: number): Promise<Probed> {
  const noted: Probed = { [PURCHASE]: [], ...Object.fromEntries(READS.map((path) => [path, []])) }
  const probed = await probe({ url: portal.url, token: buyers[0]?.token ?? '' }, async () => {
    const end = performance.now() + ms
    await Promise.all(buyers.map((buyer, index) => buyOn(portal, buyer, { end, index, noted })))
  })
  return { ...probed, ...noted }
}

type Buying = { end: number; index: number; noted: Probed }

/** Buys, reads the deliveries and the offers, and again. */
async function buyOn({ url }: PortalProcess, buyer: Actor, { end, index, noted }: Buying): Promise<void> {
  const { token, characterIds } = buyer
  await sleep((PAUSE_MS * index) / BUYERS)
  for (let purchase = 0; performance.now() < end; purchase++) {
    const body = { character_id: characterIds[purchase % characterIds.length], amount: PRICE }
    const bought = await fetchOk(url, { path: '/api/exchange/store', token, key: randomUUID(), body })
    noted[PURCHASE]?.push(bought.ms)
    for (const path of READS) noted[path]?.push((await fetchOk(url, { path, token })).ms)
    await sleep(PAUSE_MS)
  }
}
