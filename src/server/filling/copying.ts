import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type Value = string | number | boolean | null

/** One table, its columns, and its rows one after another. */
export type TableRows = {
  table: string
  columns: readonly string[]
  rows(): Iterable<readonly Value[]>
  /** Triggers that make rows of other tables from these, and so are needed. */
  needs?: readonly string[]
}

const CHUNK_CHARS = 256_000

/** Writes a table's rows by COPY; answers how many. */
export async function copyRows(client: Client, { table, columns, rows }: TableRows): Promise<number> {
  const target = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`))
  await pipeline(Readable.from(chunksOf(rows())), target)
  return target.rowCount
}

/** Rows as COPY reads them. */
function* chunksOf(rows: Iterable<readonly Value[]>): Generator<string> {
  let text = ''
  for (const row of rows) {
    for (let at = 0; at < row.length; at++) text += (at === 0 ? '' : '\t') + asText(row[at] as Value)
    text += '\n'
    if (text.length < CHUNK_CHARS) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

function asText(value: Value): string {
  if (value === null) return String.raw`\N`
  if (typeof value !== 'string') return String(value)
  return value.includes('\\') ? value.replaceAll('\\', String.raw`\\`) : value
}

type Definition = { table: string; name: string; definition: string }

/**
 * Takes keys, indexes and triggers off the tables, and answers what puts them back: whatever the rows break then fails
 * there, and an index is made once instead of growing row by row.
 */
export async function takeOff(client: Client, tables: readonly TableRows[]): Promise<() => Promise<void>> {
  const names = [tables.map(({ table }) => table)]
  const foreign = await definitions(client, FOREIGN_KEYS, names)
  const keys = await definitions(client, KEYS, names)
  for (const { table, name } of [...foreign, ...keys])
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  const indexes = await definitions(client, INDEXES, names)
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  for (const { table, needs = [] } of tables) {
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
    for (const trigger of needs) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`)
  }
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    for (const { definition } of indexes) await client.query(definition)
    for (const { table, name, definition } of foreign)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    for (const { table } of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  }
}

const CONSTRAINTS = `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name,
         pg_get_constraintdef(oid) AS definition FROM pg_constraint`
const FOREIGN_KEYS = `${CONSTRAINTS} WHERE contype = 'f'
   AND (conrelid = ANY($1::text[]::regclass[]) OR confrelid = ANY($1::text[]::regclass[])) ORDER BY oid`
const KEYS = `${CONSTRAINTS} WHERE contype IN ('p', 'u', 'x') AND conrelid = ANY($1::text[]::regclass[]) ORDER BY oid`
const INDEXES = `SELECT indrelid::regclass::text AS "table", indexrelid::regclass::text AS name,
         pg_get_indexdef(indexrelid) AS definition
    FROM pg_index WHERE indrelid = ANY($1::text[]::regclass[]) ORDER BY indexrelid`

async function definitions(client: Client, query: string, values: unknown[]): Promise<Definition[]> {
  return (await client.query<Definition>(query, values)).rows
}
