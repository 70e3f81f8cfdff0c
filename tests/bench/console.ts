import { grantRole } from '#server/modules/accounts/index.ts'
import { usernameOf } from '#server/filling/names.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { anAddress } from '#tests/support/addresses.ts'
import type { PortalProcess } from '#tests/support/portal-process.ts'
import { turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { aBenchPlayer, inMs, median, quantile, withBenchPortal, type Size } from './bench-portal.ts'

const LIMIT_MS = 150
const STEPS = 40
/** Player 5,000 of those the database is filled with. */
const USERNAME = usernameOf({ seed: 1 }, 4_999)

type Call = { status: number; body: any; next: string | null; ms: number }
type Ask = (path: string) => Promise<Call>
type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
type Parameter = { name: string; content?: { 'application/json': { schema: Schema } } }

export type ConsoleReport = {
  size: Size
  /** The median of a call that reads one session: what everything else costs beside the list. */
  yardstick_ms: number
  /** The slowest questions first. */
  slowest: { question: string; p95_ms: number }[]
  questions: number
  isWithin: boolean
}

/** Every list of the console on a filled database: its first page, each filter, and the 40th step by key; search and trail. */
export async function benchConsole({ size, runs }: { size: Size; runs: number }): Promise<ConsoleReport> {
  const measureAll = async (portal: PortalProcess): Promise<ConsoleReport> => {
    const ask = await anOperator(portal)
    const answers = new Map<string, number[]>()
    const measure = async (question: string): Promise<Call> => {
      let last: Call | undefined
      for (let run = 0; run < runs; run++) {
        last = await ask(question)
        if (last.status !== 200)
          throw new Error(`${question} answers ${last.status}: ${JSON.stringify(last.body)}`)
        answers.set(question, [...(answers.get(question) ?? []), last.ms])
      }
      return last as Call
    }
    for (const { path, filters } of await listsOf(ask)) {
      const first = await measure(path)
      const row = (first.body as Record<string, unknown>[])[0] ?? {}
      for (const [name, schema] of filters)
        for (const value of valuesFor(name, schema, row))
          await measure(withQuery(path, { filter: { [name]: value } }))
      let { next } = first
      for (let step = 1; step < STEPS && next !== null; step++)
        ({ next } = await ask(withQuery(path, { after: next })))
      if (next !== null) await measure(withQuery(path, { after: next }))
    }
    for (const question of OF_ONE_PLAYER) await measure(question)
    const yardstick: number[] = []
    for (let run = 0; run < 50; run++) yardstick.push((await ask('/operator/me')).ms)
    const judged = [...answers]
      .map(([question, samples]) => ({ question, p95_ms: inMs(quantile(samples, 0.95)) }))
      .toSorted((one, other) => other.p95_ms - one.p95_ms)
    return {
      size,
      yardstick_ms: inMs(median(yardstick)),
      slowest: judged.slice(0, 10),
      questions: judged.length,
      isWithin: judged.every(({ p95_ms }) => p95_ms < LIMIT_MS),
    }
  }
  return withBenchPortal(measureAll, { size })
}

/** An owner with several sessions, so that the limit of calls of one session does not distort the measurement. */
async function anOperator(portal: PortalProcess): Promise<Ask> {
  const player = await aBenchPlayer(portal)
  const embedded = await openEmbeddedPostgres({ dataDir: portal.dataDir, log: () => {} })
  const db = openDatabase({ url: embedded.url, log: openLog('error'), connectionsMax: 1 })
  await grantRole(db, { username: player.username, role: 'owner' })
  await db.destroy()
  await embedded.stop()
  const call = async (
    method: string,
    path: string,
    { token, body }: { token?: string; body?: unknown } = {},
  ) => {
    const answer = await fetch(portal.url + path, {
      method,
      headers: {
        'x-forwarded-for': anAddress(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers }
  }
  const { recoveryCodes } = await turnOnSecondFactor(
    { call: async (...asked) => ({ ...(await call(...asked)), headers: {} }) },
    player.token,
  )
  const tokens: string[] = []
  for (const otp of recoveryCodes) {
    const { username, password } = player
    const opened = await call('POST', '/api/operator/session', { body: { username, password, otp } })
    tokens.push((opened.body as { access_token: string }).access_token)
  }
  let turn = 0
  return async (path) => {
    const start = performance.now()
    const token = tokens[turn++ % tokens.length] ?? ''
    const { status, body, headers } = await call('GET', `/api${path}`, { token })
    return { status, body, next: headers.get('x-next-after'), ms: performance.now() - start }
  }
}

async function listsOf(ask: Ask) {
  const { body } = await ask('/openapi.json')
  const paths = Object.entries(body.paths as Record<string, { get?: { parameters: Parameter[] } }>)
  return paths.flatMap(([path, { get }]) => {
    const filter = get?.parameters.find(({ name }) => name === 'filter')
    if (!filter || path.includes('{')) return []
    return [{ path, filters: Object.entries(filter.content?.['application/json'].schema.properties ?? {}) }]
  })
}

/** Values for a filter: all of a choice, else what the first row of the list has under that name, else something usual. */
function valuesFor(name: string, schema: Schema, row: Record<string, unknown>): unknown[] {
  const options = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? one.const ?? [])
  if (options && options.length > 0) return options
  if (schema.const !== undefined) return [schema.const]
  if (schema.type === 'boolean') return [true, false]
  const own = row[name]
  if (typeof own === 'string' || typeof own === 'number') return [own]
  if (/(^|_)(from|to)$/.test(name)) return [momentFor(schema, name)]
  const usual = USUAL[name]
  return usual === undefined ? [] : [usual]
}

/** What is no list: the search box, a player, and their trail from its beginning and from a year ago. */
const OF_ONE_PLAYER = [
  `/operator/search?q=${USERNAME}`,
  '/operator/search?q=tuan',
  '/operator/search?q=TCXAA',
  '/operator/search?q=FT0000500',
  '/operator/users/5000',
  '/operator/users/5000/trail',
  `/operator/users/5000/trail?before=${Date.now() - 30 * 86_400_000}000`,
]

const USUAL: Record<string, unknown> = {
  q: USERNAME,
  user: USERNAME,
  user_id: '5000',
  amount: 20_000,
}

/** The beginning or the end of the last thirty days, as a day where the schema wants one. */
function momentFor({ pattern, format }: Schema, name: string): string {
  const moment = new Date(Date.now() - (name.endsWith('from') ? 30 * 86_400_000 : 0)).toISOString()
  const isDay = format === 'date' || (pattern !== undefined && !new RegExp(pattern).test(moment))
  return isDay ? moment.slice(0, 10) : moment
}

function withQuery(path: string, query: Record<string, unknown>): string {
  const parameters = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `${path}?${new URLSearchParams(Object.fromEntries(parameters))}`
}
