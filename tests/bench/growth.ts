import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { asOwner } from '#server/platform/db/owner.ts'
import { giftCodeOf } from '#server/filling/gift-code-tables.ts'
import { usernameOf } from '#server/filling/plan.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchOk, type Answer, type Request } from '../harness/client.ts'
import { newFolder, startDemoPortal, startPostgres } from '../harness/fleet.ts'
import { quantile } from '../harness/numbers.ts'
import { anOperator, fillPortal, PRICE, purchaseFor, type Send } from './bench-portal.ts'

const ENTRIES = 10
const PASSWORD = 'mat-khau-dem-12'
/** Of each database; each makes every call in turn, so that no limit of one player's calls is met. */
const PLAYERS = 25

type Player = { number: number; username: string; token: string }
type Side = { players: number; portal: PortalProcess; operator: Send; own: Player[]; usedCodes: number }
type Options = { sizes: readonly number[]; rounds: number; folder: string | undefined }

/**
 * The same calls on portals whose databases differ in size only, in turn: how much slower the largest is. With a folder
 * the filled databases stay in it for the next run.
 */
export async function benchGrowth({ sizes, rounds, folder }: Options) {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = folder ?? (await newFolder(cleanup, 'growth'))
  await mkdir(dataDir, { recursive: true })
  const ownerUrl = await startPostgres(cleanup, dataDir)
  const places = await newFolder(cleanup, 'bench')
  const sides: Side[] = []
  for (const players of sizes) {
    const url = await filledDatabase(ownerUrl, players)
    const environment = { DATABASE_URL: url }
    const portal = await startDemoPortal(cleanup, { dataDir: join(places, String(players)), environment })
    const operator = await anOperator(portal, url)
    const own = await signedIn(portal, players, rounds)
    sides.push({ players, portal, operator, own, usedCodes: await usedCodesIn(url) })
  }
  const calls: Record<string, ReturnType<typeof figuresOf>> = {}
  for (const [name, call] of CALLS) calls[name] = figuresOf(await timesOf(call, sides, rounds))
  return { sizes, calls }
}

/** Multiples of it fall evenly over what they are taken modulo 1 of. */
const GOLDEN = (Math.sqrt(5) - 1) / 2
const TRIES_MAX = 400

/** Players from all over the database who are not banned and can pay for all purchases of the bench. */
async function signedIn({ url }: PortalProcess, players: number, rounds: number): Promise<Player[]> {
  const own: Player[] = []
  const coins = PRICE * (1 + Math.ceil(rounds / PLAYERS))
  for (let at = 0; own.length < PLAYERS; at++) {
    if (at === TRIES_MAX)
      throw new Error(`too few of ${TRIES_MAX} players have ${coins} TCoin: fill a new folder`)
    const number = Math.floor(((at * GOLDEN) % 1) * players)
    const username = usernameOf({ seed: 1 }, number)
    const login = await fetchOk(url, { path: '/api/auth/login', body: { username, password: PASSWORD } })
    const token = login.body.access_token as string
    const { body } = await fetchOk(url, verifying({ token }))
    const { ban_until, balance } = body as { ban_until: string | null; balance: number }
    if (ban_until === null && balance >= coins) own.push({ number, username, token })
  }
  return own
}

const verifying = ({ token }: Pick<Player, 'token'>): Request => ({
  path: '/api/auth/verify',
  token,
  body: { access_token: token },
})

const get =
  (path: string) =>
  ({ token }: Player): Request => ({ path, token })

const filtered = (filter: object) => encodeURIComponent(JSON.stringify(filter))

/** How many of the codes an earlier run on the same folder has used, in their order. */
async function usedCodesIn(url: string): Promise<number> {
  return asOwner(url, async (client) => {
    const { rows } = await client.query<{ used: number }>(
      'SELECT coalesce(max(code_id), 0)::integer AS used FROM gift_code_use',
    )
    return rows[0]?.used ?? 0
  })
}

const OWN_CALLS: Record<string, (player: Player, side: Side) => Request> = {
  'verify, with the balance': verifying,
  statement: get('/api/user/transactions'),
  'statement, filtered': get('/api/user/transactions?filter_type=transfer_out&sort=amount'),
  'statement, last page': get('/api/user/transactions?page=5&items_per_page=2'),
  purchase: ({ token, number }) => purchaseFor(token, String(number + 1)),
  'own deliveries': get('/api/user/deliveries'),
  'check-ins of the month': get('/api/check-in'),
  milestones: get('/api/milestones'),
  ranking: get('/api/groups/1/entries'),
  'gift code': ({ token, number }, side) => ({
    path: '/api/gift-codes/redeem',
    token,
    body: { code: giftCodeOf({ seed: 1 }, side.usedCodes++), character_id: String(number + 1) },
  }),
  invitations: get('/api/invitations'),
  'own cases': get('/api/cases'),
  notices: get('/api/notices'),
  'key and browser of push': get('/api/push/key'),
}

const OPERATOR_CALLS: Record<string, (player: Player) => string> = {
  inbox: () => `/operator/bank-transfers?filter=${filtered({ state: 'review' })}`,
  'inbox, all': () => '/operator/bank-transfers',
  'open cases': () => `/operator/cases?filter=${filtered({ state: 'open' })}`,
  players: () => '/operator/users',
  'player search': ({ username }) => `/operator/users?filter=${filtered({ q: username })}`,
  'search box': ({ username }) => `/operator/search?q=${username}`,
  'search box, few letters': () => '/operator/search?q=tuan',
}

type Call = (side: Side, player: Player) => Promise<Answer>

const CALLS = new Map<string, Call>([
  ...Object.entries(OWN_CALLS).map(([name, requestOf]): [string, Call] => [
    name,
    (side, player) => fetchOk(side.portal.url, requestOf(player, side)),
  ]),
  ...Object.entries(OPERATOR_CALLS).map(([name, pathOf]): [string, Call] => [
    name,
    ({ operator }, player) => operator(pathOf(player)),
  ]),
])

/** How long one call takes, by the number of players in the database. */
async function timesOf(call: Call, sides: readonly Side[], rounds: number): Promise<Map<number, number[]>> {
  const times = new Map(sides.map(({ players }) => [players, [] as number[]]))
  // The first round of each player warms the caches.
  for (let round = -PLAYERS; round < rounds; round++)
    for (const side of sides) {
      const { ms } = await call(side, side.own[(round + PLAYERS) % PLAYERS] as Player)
      if (round >= 0) times.get(side.players)?.push(ms)
    }
  return times
}

function figuresOf(times: Map<number, number[]>) {
  const of = (share: number) =>
    Object.fromEntries([...times].map(([players, samples]) => [players, quantile(samples, share)]))
  const p95Ms = of(0.95)
  const bySize = Object.values(p95Ms)
  return { p50Ms: of(0.5), p95Ms, ratio: (bySize.at(-1) ?? NaN) / (bySize[0] ?? NaN) }
}

/** With the settings of the portal's own database. One from an earlier run is not filled again. */
async function filledDatabase(adminUrl: string, players: number): Promise<string> {
  const name = `growth_${players}_${ENTRIES}`
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  await asOwner(adminUrl, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount !== 0) return
    // Under this name only once it is full: a run that was ended leaves a draft.
    await client.query(`DROP DATABASE IF EXISTS ${name}_draft`)
    await client.query(`CREATE DATABASE ${name}_draft`)
    console.error(await fillPortal({ DATABASE_URL: `${url}_draft` }, { players, entries: ENTRIES }))
    await client.query(`ALTER DATABASE ${name}_draft RENAME TO ${name}`)
  })
  return url
}
