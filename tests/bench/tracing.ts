import { startCollector } from '#tests/support/collector.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchOk, type Request } from '../harness/client.ts'
import { median } from '../harness/numbers.ts'
import type { Actor } from '../harness/players.ts'
import { benchActors, purchaseFor, withBenchPortal } from './bench-portal.ts'
import { inRounds, slowerBy } from './rounds.ts'

/** So many that none calls more often than a player may. */
const BUYERS = 8
const COINS = 40_000_000
const SLOWER_MAX = { ratio: 1.25, ms: 1 }

const REQUESTS: Record<string, (buyer: Actor) => Request> = {
  page: () => ({ path: '/home' }),
  purchase: ({ token, characterIds }) => purchaseFor(token, characterIds[0]),
}

type Options = { pairs: number; requests: number }

/** What traces cost those who wait: two portals that differ in nothing else, called in turn, one request at a time. */
export async function benchTracing(options: Options) {
  await using cleanup = new AsyncDisposableStack()
  const collector = await startCollector({ isRead: false })
  cleanup.defer(() => collector.close())
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const requests = await withBenchPortal((off) =>
    withBenchPortal((on) => compare(off, on, options), { environment }),
  )
  return { sentMb: collector.bytes / 1e6, requests }
}

async function compare(off: PortalProcess, on: PortalProcess, { pairs, requests }: Options) {
  const buyersOff = await benchActors(off, BUYERS, COINS)
  const buyersOn = await benchActors(on, BUYERS, COINS)
  const figures: Record<string, object> = {}
  for (const [name, requestOf] of Object.entries(REQUESTS)) {
    const middle = async ({ url }: PortalProcess, buyers: readonly Actor[]) => {
      const samples: number[] = []
      for (let sent = 0; sent < requests; sent++)
        samples.push((await fetchOk(url, requestOf(buyers[sent % BUYERS] as Actor))).ms)
      return median(samples)
    }
    const runs = await inRounds(pairs, {
      off: () => middle(off, buyersOff),
      on: () => middle(on, buyersOn),
    })
    const [offMs, onMs] = [median(runs.off), median(runs.on)]
    figures[name] = { offMs, onMs, ...slowerBy(runs.off, runs.on, SLOWER_MAX) }
  }
  return figures
}
