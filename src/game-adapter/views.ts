export type Place = { database: string; table: string; column: string }

const NAME = '`((?:[^`]|``)+)`'
const named = (text = '') => text.replaceAll('``', '`')

/**
 * Where the columns of a view stand, by their names in lower case, from its definition as the server stores it: every name is
 * quoted and whole. A column that is computed stands nowhere.
 */
export function columnsBehind(definition: string): Map<string, Place> {
  const from = definition.search(/ from /i)
  const tables = new Map<string, { database: string; table: string }>()
  for (const [, database, table, alias] of definition
    .slice(Math.max(from, 0))
    .matchAll(new RegExp(`${NAME}\\.${NAME}(?!\\.)(?: (?:as )?${NAME})?`, 'gi'))) {
    const place = { database: named(database), table: named(table) }
    const key = named(alias ?? table)
    if (!tables.has(key)) tables.set(key, place)
  }
  const found = new Map<string, Place>()
  for (const [, , alias, column, as] of definition
    .slice(0, Math.max(from, 0))
    .matchAll(new RegExp(`(?:${NAME}\\.)?${NAME}\\.${NAME} AS ${NAME}`, 'gi'))) {
    const place = tables.get(named(alias))
    if (place !== undefined) found.set(named(as).toLowerCase(), { ...place, column: named(column) })
  }
  return found
}
