import type { Row, Session } from './database.ts'
import { columnOf } from './sources.ts'
import type { Tables } from './presets.ts'
import { readNumber, textOf } from './values.ts'
import { columnsBehind, type Place } from './views.ts'

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
  /** The database counts it up by itself. */
  isCounted: boolean
}

/** Its columns in their order, in lower case. */
export type Index = { columns: string[]; isUnique: boolean; isPrimary: boolean }

export type Table = {
  database: string
  name: string
  /** As the file and statements call it: with its database where that is not the adapter's own. */
  path: string
  /** Empty of a view. */
  engine: string
  /** As the server estimates them; 0 of a view. */
  rows: number
  /** By their names in lower case, in their order. */
  columns: ReadonlyMap<string, Column>
  /** Those that find and sort whole values, not words. */
  indexes: readonly Index[]
  /** Of a view: where each of its columns stands, as far as that can be read. */
  behind: ReadonlyMap<string, Place> | null
}

export type Schema = { database: string; tables: readonly Table[] }

const ROWS_MAX = 50_000
/** Their length is theirs in bytes, and they are compared byte by byte. */
const TEXT_TYPES = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json', 'enum'])

export const isTextColumn = ({ type }: Pick<Column, 'type'>) => TEXT_TYPES.has(type)
export const isNumberColumn = ({ type }: Pick<Column, 'type'>) => /int$|^decimal$|^double$|^float$/.test(type)

/** A table by the name in the file. Exactly as it is written first: some servers tell capitals apart. */
export function findTable({ database, tables }: Schema, path: string): Table | undefined {
  const [inDatabase = database, name = ''] = path.includes('.') ? path.split('.') : [database, path]
  const isCalled = (table: Table, key: (text: string) => string) =>
    key(table.database) === key(inDatabase) && key(table.name) === key(name)
  return (
    tables.find((table) => isCalled(table, (text) => text)) ??
    tables.find((table) => isCalled(table, (text) => text.toLowerCase()))
  )
}

export const findColumn = (schema: Schema, table: string, column: string): Column | undefined =>
  findTable(schema, table)?.columns.get(column.toLowerCase())

/** The tables that hold the rows: a view's are those behind it. */
export function tablesBehind(schema: Schema, table: Table): Table[] {
  if (table.behind === null) return [table]
  const paths = [...table.behind.values()].map(({ database, table: name }) => `${database}.${name}`)
  return [...new Set(paths)].flatMap((path) => findTable(schema, path) ?? [])
}

/** The columns of one of the two tables that the file names. */
export const columnsIn = ({ table: _table, ...columns }: Tables['accounts'] | Tables['characters']) =>
  Object.values(columns).flatMap((source) => (source === null ? [] : [columnOf(source)]))

const SYSTEM = `'information_schema', 'mysql', 'performance_schema', 'sys'`

type Wanted = Pick<Tables, 'accounts' | 'characters'> | 'every database'

/** Tables, columns and indexes as far as this account may see them: of the databases that the file names, or of all. */
export async function readSchema(session: Session, wanted: Wanted): Promise<Schema> {
  const [row] = await session.rows('SELECT DATABASE() AS name')
  const database = textOf(row?.name) ?? ''
  if (wanted === 'every database') return read(session, database, `NOT IN (${SYSTEM})`)
  const named = [wanted.accounts.table, wanted.characters.table].map((table) =>
    table.includes('.') ? (table.split('.')[0] ?? '') : database,
  )
  const first = await read(session, database, among([database, ...named]))
  const behind = first.tables.flatMap(({ behind }) => [...(behind?.values() ?? [])].map((at) => at.database))
  return behind.every((name) => first.tables.some((table) => table.database === name))
    ? first
    : read(session, database, among([database, ...named, ...behind]))
}

const among = (names: readonly string[]) =>
  `IN (${[...new Set(names)].map((name) => `'${name.replaceAll(/['\\]/g, '')}'`).join(', ')})`

async function read(session: Session, database: string, which: string): Promise<Schema> {
  const where = `WHERE TABLE_SCHEMA ${which}`
  const found = new Map<string, Table & { columns: Map<string, Column>; indexes: Index[] }>()
  const keyOf = (row: Row) => `${textOf(row.in_database) ?? ''}.${textOf(row.table_name) ?? ''}`
  for (const row of await session.rows(
    `SELECT TABLE_SCHEMA AS in_database, TABLE_NAME AS table_name, ENGINE AS engine, TABLE_ROWS AS table_rows, TABLE_TYPE AS kind
       FROM information_schema.TABLES ${where} AND TABLE_TYPE IN ('BASE TABLE', 'VIEW') LIMIT ${ROWS_MAX}`,
  )) {
    const name = textOf(row.table_name) ?? ''
    const inDatabase = textOf(row.in_database) ?? ''
    found.set(keyOf(row), {
      database: inDatabase,
      name,
      path: inDatabase === database ? name : `${inDatabase}.${name}`,
      engine: textOf(row.engine) ?? '',
      rows: readNumber(row.table_rows) ?? 0,
      columns: new Map(),
      indexes: [],
      behind: row.kind === 'VIEW' ? new Map() : null,
    })
  }
  for (const row of await session.rows(
    `SELECT TABLE_SCHEMA AS in_database, TABLE_NAME AS table_name, COLUMN_NAME AS name, DATA_TYPE AS data_type,
            COLUMN_TYPE AS full_type, CHARACTER_MAXIMUM_LENGTH AS length, CHARACTER_SET_NAME AS charset,
            COLLATION_NAME AS collation, EXTRA AS extra
       FROM information_schema.COLUMNS ${where} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION LIMIT ${ROWS_MAX}`,
  )) {
    const name = textOf(row.name) ?? ''
    found.get(keyOf(row))?.columns.set(name.toLowerCase(), {
      name,
      type: (textOf(row.data_type) ?? '').toLowerCase(),
      fullType: textOf(row.full_type) ?? '',
      length: readNumber(row.length) ?? 0,
      charset: textOf(row.charset) ?? '',
      collation: textOf(row.collation) ?? '',
      isCounted: /auto_increment/i.test(textOf(row.extra) ?? ''),
    })
  }
  for (const row of await session.rows(
    `SELECT TABLE_SCHEMA AS in_database, TABLE_NAME AS table_name, INDEX_NAME AS name, NON_UNIQUE AS non_unique,
            GROUP_CONCAT(LOWER(COLUMN_NAME) ORDER BY SEQ_IN_INDEX SEPARATOR '/') AS columns_of
       FROM information_schema.STATISTICS ${where} AND INDEX_TYPE <> 'FULLTEXT'
      GROUP BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE LIMIT ${ROWS_MAX}`,
  )) {
    found.get(keyOf(row))?.indexes.push({
      columns: (textOf(row.columns_of) ?? '').split('/'),
      isUnique: Number(row.non_unique) === 0,
      isPrimary: row.name === 'PRIMARY',
    })
  }
  for (const row of await session.rows(
    `SELECT TABLE_SCHEMA AS in_database, TABLE_NAME AS table_name, VIEW_DEFINITION AS definition
       FROM information_schema.VIEWS ${where} LIMIT ${ROWS_MAX}`,
  )) {
    const table = found.get(keyOf(row))
    if (table !== undefined) table.behind = columnsBehind(textOf(row.definition) ?? '')
  }
  const schema = { database, tables: [...found.values()] }
  for (const table of found.values()) table.indexes.push(...indexesBehind(schema, table))
  return schema
}

/** Those of the table behind a view, by the view's names. */
function indexesBehind(schema: Schema, view: Table): Index[] {
  const [base, ...others] = view.behind === null ? [] : tablesBehind(schema, view)
  if (base === undefined || others.length > 0) return []
  const names = new Map([...(view.behind ?? [])].map(([name, { column }]) => [column.toLowerCase(), name]))
  return base.indexes.flatMap((index) => {
    const columns = index.columns.flatMap((column) => names.get(column) ?? [])
    return columns.length === index.columns.length ? [{ ...index, columns }] : []
  })
}
