import { inMs, median, sum as total } from '../harness/statistics.ts'
import type { Inside, Sample } from './samples.ts'

const GROWTH_MAX = 0.1
/** Connections that browsers keep come and go; a leak of one a minute is more than this after 20 minutes. */
const DESCRIPTORS_MAX = 10
const LOG_BYTES_MAX = 400

/** One process: after warm-up, at the end, and what is allowed. */
export type Watched = {
  name: string
  samples: readonly Sample[]
  warm: Inside
  end: Inside
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
  const medians = (read: (sample: Sample) => number) =>
    [median(early.map(read)), median(late.map(read))] as const
  const [rss, rssEnd] = medians(({ rssMb }) => rssMb)
  const [open, openEnd] = medians(({ descriptors }) => descriptors)
  const sum = ({ resources }: Inside) => total(Object.values(resources))
  return [
    row('RSS, MB', rss, rssEnd, rss * (1 + GROWTH_MAX)),
    row('heap after collection, MB', warm.heapMb, end.heapMb, warm.heapMb * (1 + GROWTH_MAX)),
    row('file descriptors', open, openEnd, open + DESCRIPTORS_MAX),
    row('open handles', sum(warm), sum(end), sum(warm) + DESCRIPTORS_MAX),
    row('connections in use when all is done', 0, inUse, 0),
  ]
}

export const isLogSmall = (bytesPerRequest: number): boolean => bytesPerRequest <= LOG_BYTES_MAX
