import { setTimeout as sleep } from 'node:timers/promises'
import type { Slot } from '../harness/fleet.ts'
import { inMs, median } from '../harness/numbers.ts'
import { metricsAt } from '../harness/resources.ts'

/** A process that is sampled. */
export type Watch = { slot: Slot; metricsPort: number; samples: Sample[] }

/** One process at one moment, from its own metrics. */
export type Sample = Awaited<ReturnType<typeof sampleOf>>

const MB = 1024 * 1024

export async function sampleOf({ metricsPort }: Watch) {
  const metric = await metricsAt(metricsPort)
  return {
    at: Date.now(),
    rssMb: metric(/^process_resident_memory_bytes /) / MB,
    heapMb: metric(/^nodejs_heap_size_used_bytes /) / MB,
    descriptors: metric(/^process_open_fds /),
    handles: metric(/^nodejs_active_resources_total /),
    connectionsInUse: metric(/^portal_database_connections\{[^}]*state="in-use"/),
  }
}

const COLLECTED_MS = 2_000

/** With the heap after everything that nobody holds is gone. */
export async function sampleCollected(watch: Watch): Promise<Sample> {
  process.kill(watch.slot.pid(), 'SIGUSR2')
  await sleep(COLLECTED_MS)
  return sampleOf(watch)
}

const GROWTH_MAX = 0.1
/** Connections that browsers keep come and go; a leak of one a minute is more than this after 20 minutes. */
const DESCRIPTORS_MAX = 10

/** One process: after warm-up, at the end, and what is allowed. */
export type Watched = {
  name: string
  samples: readonly Sample[]
  warm: Sample
  end: Sample
  /** Connections of the pool that are still in use when all is done: a pool's size only follows its load. */
  inUse: number
}

export type Row = { process: string; figure: string; warm: number; end: number; isFlat: boolean }

/** Medians of the first and the last `windowMs` of the samples, which begin after warm-up. */
export function rowsOf({ name, samples, warm, end, inUse }: Watched, windowMs: number): Row[] {
  const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0]
  const early = samples.filter(({ at }) => at <= first + windowMs)
  const late = samples.filter(({ at }) => at >= last - windowMs)
  const row = (figure: string, before: number, after: number, most: number): Row => ({
    process: name,
    figure,
    warm: inMs(before),
    end: inMs(after),
    isFlat: after <= most,
  })
  const medians = (figure: 'rssMb' | 'descriptors') =>
    [median(early.map((one) => one[figure])), median(late.map((one) => one[figure]))] as const
  const [rss, rssEnd] = medians('rssMb')
  const [open, openEnd] = medians('descriptors')
  return [
    row('RSS, MB', rss, rssEnd, rss * (1 + GROWTH_MAX)),
    row('heap after collection, MB', warm.heapMb, end.heapMb, warm.heapMb * (1 + GROWTH_MAX)),
    row('file descriptors', open, openEnd, open + DESCRIPTORS_MAX),
    row('open handles', warm.handles, end.handles, warm.handles + DESCRIPTORS_MAX),
    row('connections in use when all is done', 0, inUse, 0),
  ]
}
