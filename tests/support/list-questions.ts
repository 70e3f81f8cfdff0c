type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
type Parameter = { name: string; schema: { contentSchema?: Schema } }

/** The lists of the OpenAPI document that take filters, with the schemas of these. */
export function listsOf(document: unknown): { path: string; filters: [string, Schema][] }[] {
  const { paths } = document as { paths: Record<string, { get?: { parameters: Parameter[] } }> }
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const filter = get?.parameters.find(({ name }) => name === 'filter')
    if (!filter || /\{|\.csv$/.test(path)) return []
    return [{ path, filters: Object.entries(filter.schema.contentSchema?.properties ?? {}) }]
  })
}

/** Values for a filter: all of a choice, else what the first row of the list has under that name, else something usual. */
export function valuesFor(
  name: string,
  schema: Schema,
  { row, usual }: { row: Record<string, unknown>; usual: Record<string, unknown> },
): unknown[] {
  const options = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? one.const ?? [])
  if (options && options.length > 0) return options
  if (schema.const !== undefined) return [schema.const]
  if (schema.type === 'boolean') return [true, false]
  const own = row[name]
  if (typeof own === 'string' || typeof own === 'number') return [own]
  if (/(^|_)(from|to)$/.test(name)) return [momentFor(schema, name)]
  return usual[name] === undefined ? [] : [usual[name]]
}

/** The beginning or the end of the last thirty days, as a day where the schema wants one. */
function momentFor({ pattern, format }: Schema, name: string): string {
  const moment = new Date(Date.now() - (name.endsWith('from') ? 30 * 86_400_000 : 0)).toISOString()
  const isDay = format === 'date' || (pattern !== undefined && !new RegExp(pattern).test(moment))
  return isDay ? moment.slice(0, 10) : moment
}

export function withQuery(path: string, query: Record<string, unknown>): string {
  const parameters = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `${path}?${new URLSearchParams(Object.fromEntries(parameters))}`
}
