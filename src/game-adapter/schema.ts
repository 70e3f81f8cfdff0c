import type { Session } from './database.ts'
import type { Indexes } from './tables.ts'
import { readNumber, textOf } from './values.ts'

export type Column = {
  name: string
  /** `varchar`, `int`, … */
  type: string
  /** With what the type leaves out, as `int(10) unsigned`. */
  fullType: string
  /** Characters that fit; 0 where it is no text. */
  length: number
  charset: string
  collation: string
}

export type Table = { name: string; engine: string; rows: number; columns: ReadonlyMap<string, Column> }

export type Schema = {
  /** By their names in lower case. */
  tables: ReadonlyMap<string, Table>
  indexes: Indexes
}

const ROWS_MAX = 50_000
/** Their length is theirs in bytes, and they are compared byte by byte. */
const TEXT_TYPES = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json', 'enum'])

export const isTextColumn = ({ type }: Pick<Column, 'type'>) => TEXT_TYPES.has(type)
export const isNumberColumn = ({ type }: Pick<Column, 'type'>) => /int$|^decimal$|^double$|^float$/.test(type)

/** Tables, columns and indexes of the database, as far as this account may see them. */
export async function readSchema(session: Session): Promise<Schema> {
  const tables = new Map<string, Table & { columns: Map<string, Column> }>()
  for (const row of await session.rows(
    `SELECT TABLE_NAME AS name, ENGINE AS engine, TABLE_ROWS AS table_rows FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' LIMIT ${ROWS_MAX}`,
  )) {
    const name = textOf(row.name) ?? ''
    const engine = textOf(row.engine) ?? 'none'
    tables.set(name.toLowerCase(), {
      name,
      engine,
      rows: readNumber(row.table_rows) ?? 0,
      columns: new Map(),
    })
  }
  for (const row of await session.rows(
    `SELECT TABLE_NAME AS table_name, COLUMN_NAME AS name, DATA_TYPE AS data_type, COLUMN_TYPE AS full_type,
            CHARACTER_MAXIMUM_LENGTH AS length, CHARACTER_SET_NAME AS charset, COLLATION_NAME AS collation
       FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()
      ORDER BY TABLE_NAME, ORDINAL_POSITION LIMIT ${ROWS_MAX}`,
  )) {
    const name = textOf(row.name) ?? ''
    tables.get((textOf(row.table_name) ?? '').toLowerCase())?.columns.set(name.toLowerCase(), {
      name,
      type: (textOf(row.data_type) ?? '').toLowerCase(),
      fullType: textOf(row.full_type) ?? '',
      length: readNumber(row.length) ?? 0,
      charset: textOf(row.charset) ?? '',
      collation: textOf(row.collation) ?? '',
    })
  }
  return { tables, indexes: await readIndexes(session) }
}

/** Those that find and sort whole values, not words. */
async function readIndexes(session: Session): Promise<Indexes> {
  const rows = await session.rows(
    `SELECT TABLE_NAME AS table_name, INDEX_NAME AS name, COLUMN_NAME AS column_name
       FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_TYPE <> 'FULLTEXT'
      ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX LIMIT ${ROWS_MAX}`,
  )
  const found = new Map<string, Map<string, string[]>>()
  for (const row of rows) {
    const table = (textOf(row.table_name) ?? '').toLowerCase()
    const index = textOf(row.name) ?? ''
    const ofTable = found.get(table) ?? new Map<string, string[]>()
    found.set(table, ofTable)
    ofTable.set(index, [...(ofTable.get(index) ?? []), (textOf(row.column_name) ?? '').toLowerCase()])
  }
  return new Map([...found].map(([table, indexes]) => [table, [...indexes.values()]]))
}

/** The lengths of all text columns, by `table.column`. */
export function textLengths({ tables }: Schema): Map<string, number> {
  const all = [...tables].flatMap(([table, { columns }]) =>
    [...columns].map(([column, { length }]) => [`${table}.${column}`, length] as const),
  )
  return new Map(all)
}
