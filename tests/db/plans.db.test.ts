import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fillDatabase } from '#server/filling/index.ts'
import { usernameOf } from '#server/filling/plan.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import {
  listsOf,
  valuesFor,
  withQuery,
  type ListFilter,
  type ListRow,
  addListRows,
} from '#tests/support/operator-api.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import type { TestPlayer } from '#tests/support/players.ts'
import { onStatement, openPlans, type Plans, type Statement } from '#tests/support/plans.ts'

/*
 * Every statement that requests send, sent once for however many rows, and planned on a filled database by PostgreSQL as if reading a table page by page were
 * dear, and once more as if it were not allowed: what is still read from end to end has no index that serves it.
 */

const SIZE = { players: 2_000, entries: 10, seed: 1 }
const USERNAME = usernameOf(SIZE, 700)

const portal = useTestApp({ mode: 'demo' })
let player: TestPlayer
let owner: TestOperator
const sent = new Map<string, Statement & { by: string }>()
let request = ''
/** The statements of each call that is under way, so that those are found that it sends for each row. */
const acting = new AsyncLocalStorage<string[]>()
const repeated = new Set<string>()

beforeAll(async () => {
  const { password } = await fillDatabase(portal.deps, portal.ownerUrl, SIZE)
  await openAccounts(portal)
  owner = await anOperator(portal, 'owner')
  const login = await portal.call('POST', '/api/auth/login', { body: { username: USERNAME, password } })
  player = {
    id: '701',
    walletId: '701',
    username: USERNAME,
    password,
    address: '',
    token: login.body.access_token,
  }
  await asOwner(portal.ownerUrl, (client) => addListRows(client, { player: player.id, operator: owner.id }))
}, 60_000)

/** Collects the statements of the test, each once with the values it was first sent with. */
const collect = () =>
  onStatement((statement) => {
    acting.getStore()?.push(statement.text)
    if (!sent.has(statement.text)) sent.set(statement.text, { ...statement, by: request })
  })
beforeEach(() => {
  sent.clear()
  collect()
})
afterEach(() => void vi.restoreAllMocks())

/** The statements that read a growing table from end to end, with the request that sent them. */
async function wholeReads(): Promise<string[]> {
  vi.restoreAllMocks()
  return asOwner(portal.ownerUrl, async (client) => {
    const plans = await openPlans(client)
    const found: string[] = []
    for (const statement of sent.values())
      for (const table of await plans.wholeReads(statement))
        found.push(`${statement.by}: ${table}: ${statement.text.replaceAll(/\s+/g, ' ')}`)
    return found
  })
}

const call = async (method: 'GET' | 'POST', path: string, how: Parameters<typeof portal.call>[2]) => {
  request = `${method} ${path}`
  return portal.call(method, path, how)
}

const answerOf = async (path: string) => {
  const texts: string[] = []
  const token = path.startsWith('/operator') ? owner.token : player.token
  const answer = await acting.run(texts, () => call('GET', `/api${path}`, { token }))
  for (const [text, times] of Map.groupBy(texts, (one) => one))
    if (times.length > TIMES_MAX)
      repeated.add(`${path}: ${times.length} times ${text.replaceAll(/\s+/g, ' ')}`)
  expect([path, answer.status, answer.status === 200 ? {} : answer.body]).toEqual([path, 200, {}])
  return answer
}
const read = async (path: string) => (await answerOf(path)).body as unknown

const openApi = async () =>
  (await call('GET', '/api/openapi.json', {})).body as { paths: Record<string, { get?: object }> }

/** What is made when it is read first is read once more. */
const TIMES_MAX = 2

/** Calls that are not read here: a stream does not end, a file is read in batches, a search is read below. */
const LEFT_OUT = /\/events$|\.csv$|^\/sms\/mo\/|^\/docs$|^\/operator\/search$/

/** What an address with a variable or a required query names: the first row of the list that it continues, or this. */
const NAMED: Record<string, string> = {
  '/tournaments/brackets/{id}': '/tournaments/brackets/1',
  '/tournaments/characters/{name}/results': '/tournaments/characters/TuanKiem/results',
  '/operator/saved-filters': '/operator/saved-filters?list=users',
  '/legal/{kind}': '/legal/terms',
  '/operator/recharge-claims/{id}': '/operator/recharge-claims/3',
  '/operator/recharge-claims/{id}/picture': '/operator/recharge-claims/3',
  '/cases/{id}/pictures/{picture}': '/cases',
  '/operator/cases/{id}/pictures/{picture}': '/operator/cases',
  '/operator/daily-closes/{id}/picture': '/operator/daily-closes',
  '/operator/legal/{kind}': '/operator/legal/terms',
  '/operator/campaign-reports/{kind}/{id}': '/operator/campaign-reports/milestones/1',
  '/operator/legal/{kind}/versions': '/operator/legal/terms/versions',
}

/** Of the bank transfers only those under review are listed by themselves. */
const ofAll = (path: string) => (path.endsWith('/bank-transfers') ? { state: 'all' } : {})

async function rowsOf(path: string): Promise<ListRow[]> {
  const pages = await Promise.all([
    read(path),
    ...(path.endsWith('/bank-transfers') ? [read(withQuery(path, { filter: ofAll(path) }))] : []),
  ])
  return pages.flatMap((page) => (page as { data?: ListRow[] }).data ?? (page as ListRow[]))
}

async function addressOf(path: string): Promise<string> {
  const named = NAMED[path]
  if (named !== undefined) return named
  if (path.endsWith('/suggested-orders')) {
    const inReview = await rowsOf(path.replace('/suggested-orders', ''))
    return `${path}?ids=${inReview.slice(0, 50).map(({ id }) => String(id))}`
  }
  if (path === '/cases/about') {
    const [line] = await rowsOf('/user/transactions')
    return withQuery(path, { about_kind: 'transaction', about_id: String(line?.id) })
  }
  if (path === '/operator/cases/{id}/account') {
    const [row] = await rowsOf('/operator/cases')
    return withQuery(path.replace('{id}', String(row?.id)), { username: USERNAME })
  }
  if (!path.includes('{')) return path
  const list = path.slice(0, path.indexOf('/{'))
  const [row] = await rowsOf(list)
  return path.replace(/\{([^}]+)\}/, (_, name: string) => encodeURIComponent(String(row?.[name] ?? row?.id)))
}

test('every read call of players and operators is answered without reading a growing table whole or a statement for each row', async () => {
  const { paths } = await openApi()
  for (const [path, { get }] of Object.entries(paths))
    if (get && !LEFT_OUT.test(path)) await read(await addressOf(path))
  for (const q of [USERNAME, 'tuan', 'TCXAA', 'FT000', '849']) await read(`/operator/search?q=${q}`)
  for (const query of ['page=2&items_per_page=3', 'filter_type=transfer_in&sort=amount', 'search=nap'])
    await read(`/user/transactions?${query}`)
  expect(sent.size).toBeGreaterThan(130)
  expect(await wholeReads()).toEqual([])
  // The lines of the audit trail are checked in parts.
  expect([...repeated].filter((one) => !one.startsWith('/operator/audit/verify'))).toEqual([])
}, 60_000)

/** Lists whose filters need no index: of small tables, or of the settings' definitions. */
const SMALL_LISTS = new Set(
  [
    'posts',
    'categories',
    'pictures',
    'tournaments',
    'settings',
    'staff/invites',
    'servers',
    'groups',
    'game-names',
    'answer-templates',
  ].map((list) => `/operator/${list}`),
)

/** A value of a filter that selects the fewest rows, and the statements that read these. */
async function narrowest(path: string, filter: ListFilter, rows: readonly ListRow[]) {
  const found: { total: number; statements: Map<string, Statement> }[] = []
  for (const value of valuesFor(path, filter, rows)) {
    const statements = new Map<string, Statement>()
    vi.restoreAllMocks()
    onStatement((statement) => void statements.set(statement.text, statement))
    const filtered = { ...ofAll(path), [filter[0]]: value }
    const { headers } = await answerOf(withQuery(path, { filter: filtered }))
    found.push({ total: Number(String(headers['content-range']).split('/')[1]), statements })
  }
  vi.restoreAllMocks()
  return found.filter(({ total }) => total > 0).toSorted((one, other) => one.total - other.total)[0]
}

const isCount = ({ text }: Statement) => /^\s*select count/i.test(text)

/** The growing tables that a statement reads whole; and the indexes of a count whose loss changes nothing about that. */
async function faultsOf(plans: Plans, statement: Statement): Promise<string[]> {
  const faults = (await plans.wholeReads(statement)).map((table) => `reads ${table} whole`)
  for (const index of isCount(statement) ? await plans.indexesOf(statement) : [])
    if (!(await plans.isMissed(index, statement))) faults.push(`${index} is not missed`)
  return faults
}

test('every filter of every list selects rows by an index, and without it reads its table whole', async () => {
  const wrong: string[] = []
  await asOwner(portal.ownerUrl, async (client) => {
    const plans = await openPlans(client)
    for (const { path, filters } of listsOf(await openApi())) {
      const rows = await rowsOf(path)
      for (const filter of filters) {
        const one = await narrowest(path, filter, rows)
        const statements = [...(one?.statements.values() ?? [])]
        const faults = one ? [] : ['no value selects rows: add some to tests/support/operator-api.ts']
        for (const statement of statements) faults.push(...(await faultsOf(plans, statement)))
        if (one && !statements.some(isCount) && !SMALL_LISTS.has(path)) faults.push('nothing is counted')
        wrong.push(...faults.map((fault) => `${path} by ${filter[0]}: ${fault}`))
      }
    }
  })
  expect(wrong).toEqual([])
}, 120_000)

test('signing in, registering, recharging, paying and buying', async () => {
  const { username, password, token } = player
  const done = async (path: string, body: object) => {
    const answer = await call('POST', path, { token, body, key: randomUUID() })
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body])
  }
  await done('/api/auth/login', { username, password })
  await done('/api/auth/verify', { access_token: token })
  const phone = '0987654321'
  await done('/api/auth/register', {
    username: 'nguoimoi',
    name: 'nguoimoi',
    password,
    phone,
    server_id: '1',
  })
  await done('/api/user/transfer/payee', { payee: usernameOf(SIZE, 3) })
  await done('/api/user/transfer', { payee: usernameOf(SIZE, 3), amount: 1_000 })
  await done('/api/exchange/store', { character_id: '701', amount: 10_000 })
  const order = await anOrder(portal, player)
  await deliver(portal, aNotification({ content: order.code }))
  expect(sent.size).toBeGreaterThan(40)
  expect(await wholeReads()).toEqual([])
}, 60_000)
