import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usernameOf } from '#server/filling/names.ts'
import { anAddress } from '#tests/support/addresses.ts'
import { startPortalProcess, type PortalProcess } from '#tests/support/portal-process.ts'
import { anOperator, type Ask } from './bench-operator.ts'
import { inHundredths, inMs, post, quantile } from './bench-portal.ts'
import { withGrownDatabases, type Grown } from './growth-databases.ts'

const RATIO_MAX = 1.5
const ENTRIES = 10
const PASSWORD = 'mat-khau-dem-12'
/** Of each database; each makes every call in turn, so that no limit of one player's calls is met. */
const PLAYERS = 25
const PRICE = 10_000

type Player = { number: number; username: string; token: string }
type Side = { players: number; portal: PortalProcess; asOperator: Ask; own: Player[] }

type Figures = { p50_ms: Record<number, number>; p95_ms: Record<number, number>; ratio: number }
export type GrowthReport = { sizes: readonly number[]; calls: Record<string, Figures>; isWithin: boolean }

/**
 * The same calls on portals whose databases differ in size only, in turn: how much slower the largest is. With a folder
 * the filled databases are kept in it for the next run.
 */
export async function benchGrowth(wanted: {
  sizes: readonly number[]
  rounds: number
  folder: string | undefined
}): Promise<GrowthReport> {
  const dataDir = wanted.folder ?? (await mkdtemp(join(tmpdir(), 'cong-ninja-growth-')))
  try {
    return await withGrownDatabases({ dataDir, sizes: wanted.sizes, entries: ENTRIES }, (databases) =>
      withSides(databases, wanted.rounds, (sides) => measure(sides, wanted.rounds)),
    )
  } finally {
    if (wanted.folder === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function withSides<Result>(
  databases: readonly Grown[],
  rounds: number,
  work: (sides: Side[]) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-bench-'))
  const portals: PortalProcess[] = []
  try {
    const sides: Side[] = []
    for (const { players, url } of databases) {
      const portal = await startPortalProcess({
        dataDir: join(folder, String(players)),
        environment: { DATABASE_URL: url, DEMO: '1', LOG_LEVEL: 'fatal', TRUST_PROXY: '127.0.0.1' },
      })
      portals.push(portal)
      const asOperator = await anOperator(portal, url)
      sides.push({ players, portal, asOperator, own: await signedIn(portal, players, rounds) })
    }
    return await work(sides)
  } finally {
    for (const portal of portals) await portal.end()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Multiples of it fall evenly over what they are taken modulo 1 of. */
const GOLDEN = (Math.sqrt(5) - 1) / 2
const TRIES_MAX = 400

/** Players from all over the database who are not banned and can pay for all purchases of the bench. */
async function signedIn(portal: PortalProcess, players: number, rounds: number): Promise<Player[]> {
  const own: Player[] = []
  const coins = PRICE * (1 + Math.ceil(rounds / PLAYERS))
  for (let at = 0; own.length < PLAYERS; at++) {
    if (at === TRIES_MAX)
      throw new Error(`too few of ${TRIES_MAX} players have ${coins} TCoin: fill a new folder`)
    const number = Math.floor(((at * GOLDEN) % 1) * players)
    const username = usernameOf({ seed: 1 }, number)
    const { status, text } = await post(portal, '/api/auth/login', { username, password: PASSWORD })
    if (status !== 200) throw new Error(`${username} cannot sign in: ${text}`)
    const { access_token: token } = JSON.parse(text) as { access_token: string }
    const { body } = await timed(portal, '/api/auth/verify', { token, body: { access_token: token } })
    const { ban_until, balance } = body as { ban_until: string | null; balance: number }
    if (ban_until === null && balance >= coins) own.push({ number, username, token })
  }
  return own
}

async function timed(
  { url }: PortalProcess,
  path: string,
  {
    token,
    body,
    method = body === undefined ? 'GET' : 'POST',
  }: { token: string; body?: object; method?: string },
) {
  const start = performance.now()
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': anAddress(),
      'idempotency-key': randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const ms = performance.now() - start
  if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`)
  return { ms, body: text === '' ? null : (JSON.parse(text) as unknown) }
}

type Request = (side: Side, player: Player) => Promise<{ ms: number }>

const get =
  (path: string): Request =>
  ({ portal }, { token }) =>
    timed(portal, path, { token })

const asOperator =
  (path: (side: Side, player: Player) => string): Request =>
  async (side, player) => {
    const answer = await side.asOperator(path(side, player))
    if (answer.status !== 200) throw new Error(`${path(side, player)} answers ${answer.status}`)
    return answer
  }

const filtered = (filter: object) => encodeURIComponent(JSON.stringify(filter))

const CALLS: Record<string, Request> = {
  'verify, with the balance': ({ portal }, { token }) =>
    timed(portal, '/api/auth/verify', { token, body: { access_token: token } }),
  statement: get('/api/user/transactions'),
  'statement, filtered': get('/api/user/transactions?filter_type=transfer_out&sort=amount'),
  'statement, last page': get('/api/user/transactions?page=5&items_per_page=2'),
  purchase: ({ portal }, { token, number }) =>
    timed(portal, '/api/exchange/store', {
      token,
      body: { character_id: String(number + 1), amount: PRICE },
    }),
  'own deliveries': get('/api/user/deliveries'),
  ranking: get('/api/groups/1/entries'),
  inbox: asOperator(() => `/operator/bank-transfers?filter=${filtered({ state: 'review' })}`),
  'inbox, all': asOperator(() => '/operator/bank-transfers'),
  players: asOperator(() => '/operator/users'),
  'player search': asOperator((_, { username }) => `/operator/users?filter=${filtered({ q: username })}`),
  'search box': asOperator((_, { username }) => `/operator/search?q=${username}`),
  'search box, few letters': asOperator(() => '/operator/search?q=tuan'),
}

async function measure(sides: readonly Side[], rounds: number): Promise<GrowthReport> {
  const calls: Record<string, Figures> = {}
  for (const [name, request] of Object.entries(CALLS)) {
    const noted = new Map(sides.map(({ players }) => [players, [] as number[]]))
    // The first round of each player warms the caches.
    for (let round = -PLAYERS; round < rounds; round++)
      for (const side of sides) {
        const { ms } = await request(side, side.own[(round + PLAYERS) % PLAYERS] as Player)
        if (round >= 0) noted.get(side.players)?.push(ms)
      }
    calls[name] = figuresOf(noted)
  }
  const isWithin = Object.values(calls).every(({ ratio }) => ratio <= RATIO_MAX)
  return { sizes: sides.map(({ players }) => players), calls, isWithin }
}

function figuresOf(noted: Map<number, number[]>): Figures {
  const of = (share: number) =>
    Object.fromEntries([...noted].map(([players, samples]) => [players, inMs(quantile(samples, share))]))
  const all = [...noted.values()]
  const p95 = (samples: readonly number[] = []) => quantile(samples, 0.95)
  return { p50_ms: of(0.5), p95_ms: of(0.95), ratio: inHundredths(p95(all.at(-1)) / p95(all[0])) }
}
