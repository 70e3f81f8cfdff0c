import { randomUUID } from 'node:crypto'
import { startCollector } from '#tests/support/collector.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchOk, type Request } from '../harness/client.ts'
import type { Actor } from '../harness/players.ts'
import { inMs, inTurn, median, slowerBy } from '../harness/numbers.ts'
import { benchActors, withBenchPortal } from './bench-portal.ts'

type Figures = {
  offMs: number
  onMs: number
  medianRatio: number
  medianDifferenceMs: number
  isWithin: boolean
}

/** So many that none calls more often than a player may. */
const BUYERS = 8
const COINS = 40_000_000
const PRICE = 10_000
const SLOWER_MAX = { ratio: 1.25, ms: 1 }

/** What traces cost those who wait: two portals that differ in nothing else, called in turn, one request at a time. */
export async function benchTracing(options: { rounds: number; requests: number }) {
  const collector = await startCollector({ isRead: false })
  try {
    return await withBenchPortal((off) =>
      withBenchPortal(
        async (on) => {
          const requests = await measure(off, on, options)
          const isWithin = Object.values(requests).every((figures) => figures.isWithin)
          return { sentMb: inMs(collector.bytes / 1e6), requests, isWithin }
        },
        { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } },
      ),
    )
  } finally {
    await collector.close()
  }
}

const REQUESTS: Record<string, (buyer: Actor) => Request> = {
  'GET /': () => ({ path: '/home' }),
  purchase: ({ token, characterIds }) => ({
    path: '/api/exchange/store',
    token,
    key: randomUUID(),
    body: { character_id: characterIds[0], amount: PRICE },
  }),
}

async function measure(
  off: PortalProcess,
  on: PortalProcess,
  { rounds, requests }: { rounds: number; requests: number },
): Promise<Record<string, Figures>> {
  const [without, traced] = [
    { portal: off, buyers: await benchActors(off, BUYERS, COINS) },
    { portal: on, buyers: await benchActors(on, BUYERS, COINS) },
  ]
  const figures: Record<string, Figures> = {}
  for (const [name, requestOf] of Object.entries(REQUESTS)) {
    const run = async ({ portal, buyers }: typeof without) => {
      const samples: number[] = []
      for (let sent = 0; sent < requests; sent++)
        samples.push((await fetchOk(portal.url, requestOf(buyers[sent % BUYERS] as Actor))).ms)
      return median(samples)
    }
    // Once for nothing: connections, caches and compiled code are there for every measurement.
    await run(without)
    await run(traced)
    const [offMs, onMs] = await inTurn(
      rounds,
      () => run(without),
      () => run(traced),
    )
    figures[name] = {
      offMs: inMs(median(offMs)),
      onMs: inMs(median(onMs)),
      ...slowerBy(offMs, onMs, SLOWER_MAX),
    }
  }
  return figures
}
