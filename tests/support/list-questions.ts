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

/** The name of a filter and the schema of its values. */
export type ListFilter = [string, Schema]

export type ListRow = Record<string, unknown>

/** The lists of the OpenAPI document that take filters, with the schemas of these. */
export function listsOf(document: unknown): { path: string; filters: ListFilter[] }[] {
  const { paths } = document as { paths: Record<string, { get?: { parameters: Parameter[] } }> }
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const filter = get?.parameters.find(({ name }) => name === 'filter')
    if (!filter || /\{|\.csv$/.test(path)) return []
    return [{ path, filters: Object.entries(filter.schema.contentSchema?.properties ?? {}) }]
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const idOf = (value: unknown): unknown => (value as { id?: unknown } | undefined)?.id
const usernameOf = (value: unknown): unknown => (value as { username?: unknown } | undefined)?.username

/** Filters whose value a row of the list has under another name, or not at all; by list, or for all of them. */
const FROM_ROWS: Record<string, (row: ListRow) => unknown> = {
  account: ({ account_number }) => account_number,
  actor: ({ actor }) => usernameOf(actor),
  asked_by: ({ asked_by }) => usernameOf(asked_by),
  'categories q': ({ title }) => title,
  category_id: ({ category_ids }) => (category_ids as unknown[] | undefined)?.[0],
  older_than_seconds: () => 0,
  'pictures q': ({ alt }) => alt,
  'posts q': ({ title }) => title,
  'bank-transfers q': ({ bank_ref }) => bank_ref,
  server_id: ({ server }) => idOf(server),
  'ledger-transfers user': ({ credit }) => usernameOf((credit as { user?: unknown }).user),
  source: ({ source_type, source_id }) => `${textOf(source_type)}:${textOf(source_id)}`,
  subject_type: ({ subject }) => (subject as { type?: unknown } | null)?.type,
  subject_id: ({ subject }) => idOf(subject ?? undefined),
  'tournaments q': ({ name }) => name,
  user: ({ user, account }) => usernameOf(user) ?? account,
  user_id: ({ user, user_id }) => user_id ?? idOf(user),
  'users q': ({ username }) => username,
}

/** Values for a filter: all of a choice, else what rows of the list say. */
export function valuesFor(path: string, [name, schema]: ListFilter, rows: readonly ListRow[]): unknown[] {
  const options = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? one.const ?? [])
  if (options && options.length > 0) return options
  if (schema.const !== undefined) return [schema.const]
  if (schema.type === 'boolean') return [true, false]
  if (/(^|_)(from|to)$/.test(name)) return momentsFor(schema, name)
  const list = path.slice(path.lastIndexOf('/') + 1)
  const read = FROM_ROWS[`${list} ${name}`] ?? FROM_ROWS[name] ?? ((row: ListRow) => row[name])
  return [...new Set(rows.map(read))].filter((value) => value !== undefined && value !== null).slice(0, 3)
}

/** A few days at the one end of the past and a month, as days where the schema wants them. */
function momentsFor({ pattern, format }: Schema, name: string): string[] {
  return (name.endsWith('from') ? [2, 30] : [50, 0]).map((days) => {
    const moment = new Date(Date.now() - days * 86_400_000).toISOString()
    const isDay = format === 'date' || (pattern !== undefined && !new RegExp(pattern).test(moment))
    return isDay ? moment.slice(0, 10) : moment
  })
}

export function withQuery(path: string, query: Record<string, unknown>): string {
  const parameters = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `${path}?${new URLSearchParams(Object.fromEntries(parameters))}`
}
