import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { residentMb } from '../harness/resources.ts'
import type { Inspector } from './inspector.ts'
import { inMs, median, sum as total } from '../harness/numbers.ts'

/** One process at one moment. */
export type Sample = { at: number; rssMb: number; descriptors: number; connectionsInUse: number }

const MB = 1024 * 1024

export async function sampleOf(pid: number, metricsUrl: string): Promise<Sample> {
  const [rssMb, descriptors, metrics] = await Promise.all([
    residentMb({ pid }),
    readdir(`/proc/${pid}/fd`),
    fetch(metricsUrl).then((answer) => answer.text()),
  ])
  const inUse = metrics.matchAll(/^portal_database_connections\{[^}]*state="in-use"[^}]*\} (\d+)$/gm)
  return {
    at: Date.now(),
    rssMb,
    descriptors: descriptors.length,
    connectionsInUse: [...inUse].reduce((sum, [, count]) => sum + Number(count), 0),
  }
}

export type Inside = { heapMb: number; resources: Record<string, number> }

export const lookInside = async (inspector: Inspector): Promise<Inside> => ({
  heapMb: (await inspector.heapAfterCollection()) / MB,
  resources: await inspector.activeResources(),
})

/** Sizes in bytes, with indexes and what is stored beside the rows. */
export type Disk = { wal: number; tables: ReadonlyMap<string, number> }

export async function diskOf(db: Db): Promise<Disk> {
  const { rows } = await sql<{ name: string; bytes: string }>`
    SELECT n.nspname || '.' || c.relname AS name, pg_total_relation_size(c.oid) AS bytes
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`.execute(db)
  const wal = await sql<{
    bytes: string
  }>`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes`.execute(db)
  return {
    wal: Number(wal.rows[0]?.bytes),
    tables: new Map(rows.map(({ name, bytes }) => [name, Number(bytes)])),
  }
}

/** Kilobytes per 1,000 operations, the largest first; what grew by less than one is left out. */
export function growthOf(before: Disk, after: Disk, operations: number): Record<string, number> {
  const perThousand = (bytes: number) => Math.round((bytes / 1024 / operations) * 1_000)
  const tables = [...after.tables].map(
    ([name, bytes]) => [name, perThousand(bytes - (before.tables.get(name) ?? 0))] as const,
  )
  const grown = tables.filter(([, kilobytes]) => kilobytes > 0).toSorted(([, a], [, b]) => b - a)
  const sum = grown.reduce((total, [, kilobytes]) => total + kilobytes, 0)
  return { WAL: perThousand(after.wal - before.wal), 'all tables': sum, ...Object.fromEntries(grown) }
}

export type LogPart = { message: string; lines: number; bytesEach: number; percent: number }

const SHOWN_MAX = 15

/** The lines of a log by their message: how many, how long, and what share of all bytes. */
export function logParts(text: string): LogPart[] {
  const parts = new Map<string, { lines: number; bytes: number }>()
  let all = 0
  for (const line of text.split('\n')) {
    const bytes = Buffer.byteLength(line) + 1
    const message = messageOf(line)
    const part = parts.get(message) ?? { lines: 0, bytes: 0 }
    parts.set(message, { lines: part.lines + 1, bytes: part.bytes + bytes })
    all += bytes
  }
  return [...parts]
    .toSorted(([, a], [, b]) => b.bytes - a.bytes)
    .slice(0, SHOWN_MAX)
    .map(([message, { lines, bytes }]) => ({
      message,
      lines,
      bytesEach: Math.round(bytes / lines),
      percent: Math.round((bytes / all) * 100),
    }))
}

function messageOf(line: string): string {
  try {
    const { level, msg } = JSON.parse(line) as { level: string; msg: string }
    return `${level}: ${msg}`
  } catch {
    return 'no JSON'
  }
}

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
