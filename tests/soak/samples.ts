import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Inspector } from './inspector.ts'

/** One process at one moment. */
export type Sample = { at: number; rssMb: number; descriptors: number; connectionsInUse: number }

const MB = 1024 * 1024

export async function sampleOf(pid: number, metricsUrl: string): Promise<Sample> {
  const [status, descriptors, metrics] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readdir(`/proc/${pid}/fd`),
    fetch(metricsUrl).then((answer) => answer.text()),
  ])
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
  const inUse = metrics.matchAll(/^portal_database_connections\{[^}]*state="in-use"[^}]*\} (\d+)$/gm)
  return {
    at: Date.now(),
    rssMb: kilobytes / 1024,
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
