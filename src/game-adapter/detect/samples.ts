import { quoted, type Row, type Value } from '../database.ts'
import { isTextColumn, type Column, type Table } from '../schema.ts'
import { textOf } from '../values.ts'

/** Rows of a statement with a limit of time; null when it took longer. */
export type Ask = (sql: string, values?: readonly Value[]) => Promise<Row[] | null>

const ROWS_OF_EACH_END = 150
/** A longer text is cut: lists of names are shorter. */
export const CUT_AT = 4_000
/** As many rows as are looked through for a value that no index finds. */
const SEARCHED_ROWS = 50_000

/** Rows of a table: the oldest and the newest by its key, or just some. */
export class Samples {
  readonly #ask: Ask
  readonly #known = new Map<Table, Promise<Row[]>>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  of(table: Table): Promise<Row[]> {
    const known = this.#known.get(table) ?? this.#read(table)
    this.#known.set(table, known)
    return known
  }

  async #read(table: Table): Promise<Row[]> {
    const columns = [...table.columns.values()].map(
      (column) => `${selectedCut(column)} AS ${quoted(column.name.toLowerCase())}`,
    )
    const key = keyOf(table)
    const select = `SELECT ${columns.join(', ')} FROM ${quoted(table.path)}`
    if (key === null) return (await this.#ask(`${select} LIMIT ${ROWS_OF_EACH_END * 2}`)) ?? []
    const first = (await this.#ask(`${select} ORDER BY ${quoted(key)} LIMIT ${ROWS_OF_EACH_END}`)) ?? []
    if (first.length < ROWS_OF_EACH_END) return first
    const last = await this.#ask(`${select} ORDER BY ${quoted(key)} DESC LIMIT ${ROWS_OF_EACH_END}`)
    const seen = new Set(first.map((row) => String(row[key.toLowerCase()])))
    return [...first, ...(last ?? []).filter((row) => !seen.has(String(row[key.toLowerCase()])))]
  }

  /** The values of a column in the sample that are there. */
  async values(table: Table, column: string): Promise<unknown[]> {
    const rows = await this.of(table)
    return rows.map((row) => row[column.toLowerCase()]).filter((value) => value !== null && value !== '')
  }

  /** Different values of a column among the oldest and newest rows. */
  async distinct(table: Table, column: string, most: number): Promise<unknown[]> {
    const [one, key] = [quoted(column), keyOf(table)]
    const found = new Map<string, unknown>()
    for (const order of key === null ? [''] : [`ORDER BY ${quoted(key)}`, `ORDER BY ${quoted(key)} DESC`]) {
      const rows = await this.#ask(
        `SELECT DISTINCT value FROM (SELECT ${one} AS value FROM ${quoted(table.path)} ${order} LIMIT ${SEARCHED_ROWS}) some
          LIMIT ${most}`,
      )
      for (const { value } of rows ?? []) if (value !== null) found.set(textOf(value) ?? String(value), value)
      if (table.rows < SEARCHED_ROWS) break
    }
    return [...found.values()].slice(0, most)
  }

  /** Those of the values that a column has; of a large table without an index on it the newest and oldest rows are searched. */
  async found(table: Table, column: string, values: readonly Value[]): Promise<Row[]> {
    if (values.length === 0) return []
    const one = quoted(column)
    const marks = values.map(() => '?').join(', ')
    const isIndexed = table.indexes.some(({ columns: [first] }) => first === column.toLowerCase())
    const most = values.length * 4
    if (isIndexed || (table.behind === null && table.rows < SEARCHED_ROWS * 2)) {
      const sql = `SELECT ${one} AS value FROM ${quoted(table.path)} WHERE ${one} IN (${marks}) LIMIT ${most}`
      return (await this.#ask(sql, values)) ?? []
    }
    const key = keyOf(table)
    const rows: Row[] = []
    for (const order of key === null ? [''] : [`ORDER BY ${quoted(key)}`, `ORDER BY ${quoted(key)} DESC`]) {
      const some = `SELECT ${one} AS value FROM ${quoted(table.path)} ${order} LIMIT ${SEARCHED_ROWS}`
      const sql = `SELECT value FROM (${some}) some WHERE value IN (${marks}) LIMIT ${most}`
      rows.push(...((await this.#ask(sql, values)) ?? []))
    }
    return rows
  }
}

/** The one column of the primary key, or of another unique one. */
export function keyOf(table: Table): string | null {
  const single = table.indexes.filter(({ isUnique, columns }) => isUnique && columns.length === 1)
  const [column] = (single.find(({ isPrimary }) => isPrimary) ?? single[0])?.columns ?? []
  return (column !== undefined && table.columns.get(column)?.name) || null
}

const isLong = (column: Column) =>
  column.type.endsWith('blob') || column.type === 'json' || (isTextColumn(column) && column.length > CUT_AT)

const selectedCut = (column: Column) =>
  isLong(column) ? `LEFT(${quoted(column.name)}, ${CUT_AT})` : quoted(column.name)
