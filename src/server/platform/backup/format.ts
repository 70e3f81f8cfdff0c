import { createHash } from 'node:crypto'
import { z } from 'zod'

/**
 * A backup is text, compressed by zstd, and encrypted by age when there is a key:
 *
 *     {"format":"cong-ninja backup", …}                     the header
 *     {"table":"public.users","columns":["id", …]}          for each table its name,
 *     1<tab>hoangtuan<tab>…                                 its rows as PostgreSQL's COPY writes them,
 *     \.
 *     {"rows":1,"sha256":"…"}                               and their number and checksum
 *     {"end":true,"sequences":{…}, …}                       the last line: a file without it was cut off
 *
 * COPY escapes every backslash and line break of a value, so the line `\.` is never a row.
 */
export const FORMAT = 'cong-ninja backup'
export const FORMAT_VERSION = 1
export const END_OF_ROWS = Buffer.from('\\.\n')

export const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  moment: z.iso.datetime(),
  mode: z.enum(['demo', 'live']),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
})
export type Header = z.infer<typeof headerSchema>

export const tableSchema = z.object({ table: z.string(), columns: z.array(z.string()) })
export const tableEndSchema = z.object({ rows: z.int(), sha256: z.string() })
export const endSchema = z.object({
  end: z.literal(true),
  tables: z.int(),
  rows: z.int(),
  sequences: z.record(z.string(), z.string()),
})
export type BackupEnd = z.infer<typeof endSchema>

export const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`

export const newChecksum = () => createHash('sha256')
