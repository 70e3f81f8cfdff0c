import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_FAULTS, FAULTS, type FaultSettings } from '#game-server/faults.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchOk } from '../harness/client.ts'
import { newFolder, startGame } from '../harness/fleet.ts'
import type { Actor } from '../harness/players.ts'
import { median, quantile, sum } from '../harness/numbers.ts'
import { benchActors, purchaseFor, withBenchPortal } from './bench-portal.ts'
import { probe, type Probed } from './probe.ts'
import { inRounds, slowerBy } from './rounds.ts'

const BUYERS = 8
const COINS = 40_000_000
/** Between two purchases of one player; together they buy some thirty a second. */
const PAUSE_MS = 250
const MANY_FAULTS: FaultSettings = { kinds: [...FAULTS], rate: 0.5, seed: 1, slowMs: 5_000 }
const PURCHASE = 'POST /api/exchange/store'
const READS = ['/api/user/deliveries', '/api/exchange']
const SLOWER_MAX = { ratio: 1.2, ms: 10 }

/** What players feel of a game that does everything wrong: portal and worker in one process, pairs interleaved. */
export async function benchDeliveries({ pairs, seconds }: { pairs: number; seconds: number }) {
  await using cleanup = new AsyncDisposableStack()
  const game = await startGame(cleanup, join(await newFolder(cleanup, 'bench-game'), 'game'))
  return await withBenchPortal(
    async (portal) => {
      const buyers = await benchActors(portal, BUYERS, COINS)
      const under = async (faults: FaultSettings) => {
        await game.change(faults)
        return felt(portal, buyers, seconds * 1_000)
      }
      const { fair, failing } = await inRounds(pairs, {
        fair: () => under(NO_FAULTS),
        failing: () => under(MANY_FAULTS),
      })
      const paths = Object.keys(fair[0] ?? {})
      const figures = paths.map((path) => {
        const p99 = (run: Probed) => quantile(run[path] ?? [], 0.99)
        const [fairMs, failingMs] = [fair.map(p99), failing.map(p99)]
        const medians = { fairP99Ms: median(fairMs), failingP99Ms: median(failingMs) }
        return [path, { ...medians, ...slowerBy(fairMs, failingMs, SLOWER_MAX) }] as const
      })
      return {
        pairs,
        purchases: sum([...fair, ...failing].map((run) => run[PURCHASE]?.length ?? 0)),
        faultsMet: await game.faultsMet(),
        routes: Object.fromEntries(figures),
      }
    },
    { environment: game.environment },
  )
}

/** What visitors feel, and the buyers themselves. */
async function felt(portal: PortalProcess, buyers: readonly Actor[], ms: number): Promise<Probed> {
  const noted: Probed = Object.fromEntries([PURCHASE, ...READS].map((path) => [path, []]))
  const probed = await probe({ url: portal.url, token: buyers[0]?.token ?? '' }, async () => {
    const end = performance.now() + ms
    await Promise.all(
      buyers.map(async (buyer, index) => {
        await sleep((PAUSE_MS * index) / BUYERS)
        await buyUntil(end, { portal, buyer, noted })
      }),
    )
  })
  return { ...probed, ...noted }
}

type Buying = { portal: PortalProcess; buyer: Actor; noted: Probed }

/** Buys, reads the deliveries and the offers, and again. */
async function buyUntil(end: number, { portal, buyer, noted }: Buying): Promise<void> {
  const { token, characterIds } = buyer
  for (let purchase = 0; performance.now() < end; purchase++) {
    const characterId = characterIds[purchase % characterIds.length]
    noted[PURCHASE]?.push((await fetchOk(portal.url, purchaseFor(token, characterId))).ms)
    for (const path of READS) noted[path]?.push((await fetchOk(portal.url, { path, token })).ms)
    await sleep(PAUSE_MS)
  }
}
