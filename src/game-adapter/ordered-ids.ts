import { byId } from './characters.ts'
import { quoted, type Session, type Value } from './database.ts'
import type { Source } from './presets.ts'
import { columnOf, isInJson, sortable } from './sources.ts'

export type Ordered = {
  table: string
  id: string
  /** What is sorted by. Rows without it are not among them. */
  value: Source
  /** A column and what it has to be; null for all rows. */
  only: { column: string; is: string } | null
}

/**
 * Ids by their value, the most first, equals by their id: `size` of them from `offset` on. Read backwards along an index over
 * value and id, which sorts nothing; the order of equals, which no index has, is made for those at the end alone.
 */
export async function orderedIds(
  session: Session,
  { table, id, value, only }: Ordered,
  { offset, size }: { offset: number; size: number },
): Promise<Value[]> {
  const [v, key] = [quoted(columnOf(value)), quoted(id)]
  const where = only === null ? 'WHERE' : `WHERE ${quoted(only.column)} = ? AND`
  const values = only === null ? [] : [only.is]
  if (isInJson(value)) {
    const rows = await session.rows(
      `SELECT ${key} AS id FROM ${quoted(table)} ${where} ${quoted(columnOf(value))} IS NOT NULL
        ORDER BY ${sortable(value)} DESC, ${key} LIMIT ${offset}, ${size}`,
      values,
    )
    return rows.map((row) => row.id as Value)
  }
  const select = `SELECT ${key} AS id, ${v} AS value FROM ${quoted(table)} ${where}`
  const backwards = `ORDER BY ${v} DESC, ${key} DESC`
  const end = offset + size
  const [last] = await session.rows(`${select} ${v} IS NOT NULL ${backwards} LIMIT ${end - 1}, 1`, values)
  const least = last?.value as Value | undefined
  const above =
    least === undefined
      ? await session.rows(`${select} ${v} IS NOT NULL ${backwards} LIMIT ${end}`, values)
      : await session.rows(`${select} ${v} > ? ${backwards} LIMIT ${end}`, [...values, least])
  const equals =
    least === undefined
      ? []
      : await session.rows(`${select} ${v} = ? ORDER BY ${key} LIMIT ${end - above.length}`, [
          ...values,
          least,
        ])
  const groups = Map.groupBy(above, (row) => String(row.value)).values()
  const inOrder = [...groups].flatMap((group) => group.map((row) => row.id as Value).sort(byId))
  return [...inOrder, ...equals.map((row) => row.id as Value)].slice(offset)
}
