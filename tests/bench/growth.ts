import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { usernameOf } from '#server/filling/plan.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchOk, type Answer, type Request as CallRequest } from '../harness/client.ts'
import { newFolder, startDemoPortal } from '../harness/fleet.ts'
import { inHundredths, inMs, quantile } from '../harness/numbers.ts'
import { anOperator, type Send, fillPortal } from './bench-portal.ts'
import { mkdir } from 'node:fs/promises'
import { Client } from 'pg'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'

const RATIO_MAX = 1.5
const ENTRIES = 10
const PASSWORD = 'mat-khau-dem-12'
/** Of each database; each makes every call in turn, so that no limit of one player's calls is met. */
const PLAYERS = 25
const PRICE = 10_000

type Player = { number: number; username: string; token: string }
type Side = { players: number; portal: PortalProcess; operator: Send; own: Player[] }

type Figures = { p50_ms: Record<number, number>; p95_ms: Record<number, number>; ratio: number }
/**
 * The same calls on portals whose databases differ in size only, in turn: how much slower the largest is. With a folder
 * the filled databases stay in it for the next run.
 */
export async function benchGrowth(options: {
  sizes: readonly number[]
  rounds: number
  folder: string | undefined
}) {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = options.folder ?? (await newFolder(cleanup, 'growth'))
  return await withGrownDatabases({ dataDir, sizes: options.sizes, entries: ENTRIES }, async (databases) => {
    await using portals = new AsyncDisposableStack()
    const folder = await newFolder(portals, 'bench')
    const sides: Side[] = []
    for (const { players, url } of databases) {
      const dataDir = join(folder, String(players))
      const portal = await startDemoPortal(portals, { dataDir, environment: { DATABASE_URL: url } })
      const operator = await anOperator(portal, url)
      sides.push({ players, portal, operator, own: await signedIn(portal, players, options.rounds) })
    }
    return await measure(sides, options.rounds)
  })
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
    const login = await fetchOk(portal.url, {
      path: '/api/auth/login',
      body: { username, password: PASSWORD },
    })
    const token = login.body.access_token as string
    const { body } = await fetchOk(portal.url, verifying(token))
    const { ban_until, balance } = body as { ban_until: string | null; balance: number }
    if (ban_until === null && balance >= coins) own.push({ number, username, token })
  }
  return own
}

const verifying = (token: string): CallRequest => ({
  path: '/api/auth/verify',
  token,
  body: { access_token: token },
})

type Request = (side: Side, player: Player) => Promise<Answer>

const get =
  (path: string): Request =>
  ({ portal }, { token }) =>
    fetchOk(portal.url, { path, token })

const asOperator =
  (path: (player: Player) => string): Request =>
  ({ operator }, player) =>
    operator(path(player))

const filtered = (filter: object) => encodeURIComponent(JSON.stringify(filter))

const CALLS: Record<string, Request> = {
  'verify, with the balance': ({ portal }, { token }) => fetchOk(portal.url, verifying(token)),
  statement: get('/api/user/transactions'),
  'statement, filtered': get('/api/user/transactions?filter_type=transfer_out&sort=amount'),
  'statement, last page': get('/api/user/transactions?page=5&items_per_page=2'),
  purchase: ({ portal }, { token, number }) =>
    fetchOk(portal.url, {
      path: '/api/exchange/store',
      token,
      key: randomUUID(),
      body: { character_id: String(number + 1), amount: PRICE },
    }),
  'own deliveries': get('/api/user/deliveries'),
  ranking: get('/api/groups/1/entries'),
  inbox: asOperator(() => `/operator/bank-transfers?filter=${filtered({ state: 'review' })}`),
  'inbox, all': asOperator(() => '/operator/bank-transfers'),
  players: asOperator(() => '/operator/users'),
  'player search': asOperator(({ username }) => `/operator/users?filter=${filtered({ q: username })}`),
  'search box': asOperator(({ username }) => `/operator/search?q=${username}`),
  'search box, few letters': asOperator(() => '/operator/search?q=tuan'),
}

async function measure(sides: readonly Side[], rounds: number) {
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

export type Grown = { players: number; url: string }

/**
 * Databases of several sizes in one PostgreSQL, with the settings of the portal's own. One that is there from an earlier
 * run, in a folder that is given, is not filled again.
 */
export async function withGrownDatabases<Result>(
  { dataDir, sizes, entries }: { dataDir: string; sizes: readonly number[]; entries: number },
  work: (databases: Grown[]) => Promise<Result>,
): Promise<Result> {
  await mkdir(dataDir, { recursive: true })
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const databases: Grown[] = []
    for (const players of sizes) databases.push(await grown(embedded.url, { players, entries }))
    return await work(databases)
  } finally {
    await embedded.stop()
  }
}

async function grown(adminUrl: string, size: { players: number; entries: number }): Promise<Grown> {
  const name = `growth_${size.players}_${size.entries}`
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) {
      // Under this name only once it is full: a run that was ended leaves a draft.
      await client.query(`DROP DATABASE IF EXISTS ${name}_draft`)
      await client.query(`CREATE DATABASE ${name}_draft`)
      console.error(await fillPortal({ DATABASE_URL: `${url}_draft` }, size))
      await client.query(`ALTER DATABASE ${name}_draft RENAME TO ${name}`)
    }
  } finally {
    await client.end()
  }
  return { players: size.players, url }
}
