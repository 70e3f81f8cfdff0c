import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { anAddress } from '#tests/support/addresses.ts'
import { startCollector } from '#tests/support/collector.ts'
import type { PortalProcess } from '#tests/support/portal-process.ts'
import { enter, type Actor } from '../torture/actors.ts'
import { PortalClient } from '../torture/portal-client.ts'
import { seeded } from '../torture/random.ts'
import { inHundredths, inMs, median, withBenchPortal } from './bench-portal.ts'

type Figures = {
  offMs: number
  onMs: number
  medianRatio: number
  medianDifferenceMs: number
  isWithin: boolean
}

export type TracingReport = { sentMb: number; requests: Record<string, Figures>; isWithin: boolean }

/** So many that none calls more often than a player may. */
const BUYERS = 8
const COINS = 40_000_000
const PRICE = 10_000
const RATIO_MAX = 1.25
const DIFFERENCE_MS_MAX = 1

/** What traces cost those who wait: two portals that differ in nothing else, asked in turn, one request at a time. */
export async function benchTracing(wanted: { rounds: number; requests: number }): Promise<TracingReport> {
  const collector = await startCollector({ isRead: false })
  try {
    return await withBenchPortal((off) =>
      withBenchPortal(
        async (on) => {
          const requests = await measure(off, on, wanted)
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

type Request = (portal: PortalProcess, buyer: Actor) => Promise<Response>

const REQUESTS: Record<string, Request> = {
  'GET /': ({ url }) => fetch(`${url}/home`, { headers: { 'x-forwarded-for': anAddress() } }),
  purchase: ({ url }, buyer) =>
    fetch(`${url}/api/exchange/store`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        authorization: `Bearer ${buyer.token}`,
        'x-forwarded-for': anAddress(),
      },
      body: JSON.stringify({ character_id: buyer.characterIds[0], amount: PRICE }),
    }),
}

async function measure(
  off: PortalProcess,
  on: PortalProcess,
  { rounds, requests }: { rounds: number; requests: number },
): Promise<Record<string, Figures>> {
  const sides = {
    off: { portal: off, buyers: await theBuyers(off) },
    on: { portal: on, buyers: await theBuyers(on) },
  }
  const figures: Record<string, Figures> = {}
  for (const [name, request] of Object.entries(REQUESTS)) {
    const run = async ({ portal, buyers }: (typeof sides)['off']) => {
      const samples: number[] = []
      for (let sent = 0; sent < requests; sent++) {
        const start = performance.now()
        const answer = await request(portal, buyers[sent % BUYERS] as Actor)
        await answer.arrayBuffer()
        if (answer.status !== 200) throw new Error(`${name} was answered ${answer.status}`)
        samples.push(performance.now() - start)
      }
      return median(samples)
    }
    // Once for nothing: connections, caches and compiled code are there for every measurement.
    await run(sides.off)
    await run(sides.on)
    const taken: { off: number; on: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const isOffFirst = round % 2 === 0
      const first = await run(isOffFirst ? sides.off : sides.on)
      const second = await run(isOffFirst ? sides.on : sides.off)
      taken.push(isOffFirst ? { off: first, on: second } : { off: second, on: first })
    }
    figures[name] = compare(taken)
  }
  return figures
}

function compare(taken: readonly { off: number; on: number }[]): Figures {
  const ratio = median(taken.map(({ off, on }) => on / off))
  const difference = median(taken.map(({ off, on }) => on - off))
  return {
    offMs: inMs(median(taken.map(({ off }) => off))),
    onMs: inMs(median(taken.map(({ on }) => on))),
    medianRatio: inHundredths(ratio),
    medianDifferenceMs: inHundredths(difference),
    isWithin: ratio <= RATIO_MAX || difference <= DIFFERENCE_MS_MAX,
  }
}

async function theBuyers({ url, dataDir }: PortalProcess): Promise<Actor[]> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
  const context = { client: new PortalClient(url), sepaySecret: secrets.SEPAY_WEBHOOK_SECRET ?? '', seen: [] }
  const random = seeded(Date.now())
  const buyers: Actor[] = []
  for (let buyer = 0; buyer < BUYERS; buyer++)
    buyers.push(await enter(context, `muahang${Date.now().toString(36)}${buyer}`, random, COINS))
  return buyers
}
