import { join } from 'node:path'
import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'
import { openHttpGame } from '#server/modules/game-bridge/http-game.client.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Seen } from '../actors.ts'
import type { Log } from './people.ts'
import type { Setup } from './setup.ts'

export type Verdict = {
  delivered: number
  refunded: number
  /** Neither the one nor the other. */
  open: number
  /** By the game's journal. */
  appliedTwice: number
  deliveredNotApplied: number
  refundedButApplied: number
  /** Purchases confirmed to a player that are not stored; stored purchases that were confirmed to nobody. */
  lost: number
  unasked: number
  /** One key, two deliveries. */
  contradictions: number
  balancesWrong: number
  /** Characters whose luong in the game is not what was delivered to them. */
  luongWrong: number
  giftsTwice: number
  reconcile: Record<string, number>
}

type Row = {
  id: string
  state: string
  kind: string
  username: string
  account: string
  character_name: string
  amount: string
  goods: Good[]
}

/** Holds the players' own log, the portal's books and the game's journal against each other. */
export async function judgeDeliveries(setup: Setup, log: Log): Promise<Verdict> {
  const { rows } = await sql<Row>`
    SELECT d.id, d.state, d.kind, u.username, d.account, d.character_name, d.amount, d.goods
      FROM delivery d JOIN users u ON u.id = d.user_id`.execute(setup.db)
  const applied = await appliedTimes(setup)
  const isApplied = (row: Row) => (applied.get(row.id) ?? 0) > 0
  const count = (claim: (row: Row) => boolean) => rows.filter(claim).length
  const known = new Set(rows.map(({ id }) => id))
  const told = new Set(log.bought.map(({ id }) => id))
  const checks = await reconcile(setup.db)
  return {
    delivered: count(({ state }) => state === 'delivered'),
    refunded: count(({ state }) => state === 'refunded'),
    open: count(({ state }) => state !== 'delivered' && state !== 'refunded'),
    appliedTwice: [...applied.values()].filter((times) => times > 1).length,
    deliveredNotApplied: count((row) => row.state === 'delivered' && !isApplied(row)),
    refundedButApplied: count((row) => row.state === 'refunded' && isApplied(row)),
    lost: log.bought.filter(({ id }) => !known.has(id)).length + (log.bought.length - told.size),
    unasked: count(({ id }) => !told.has(id)),
    contradictions: log.contradictions,
    balancesWrong: await wrongBalances(setup, rows),
    luongWrong: await wrongLuong(setup, rows),
    giftsTwice: giftsTwice(rows),
    reconcile: Object.fromEntries(checks.map((row) => [row.check, row.count])),
  }
}

/** Every figure of a verdict that must be zero. */
export function faultsOf(verdict: Verdict): number {
  const { delivered, refunded, reconcile: books, ...faults } = verdict
  const all = [...Object.values(faults), ...Object.values(books)]
  // A run that ended nothing proves nothing.
  return all.reduce((sum, value) => sum + value, delivered + refunded === 0 ? 1 : 0)
}

/** How often the game handed over each delivery, by its own journal. */
export async function appliedTimes({ gameDir }: Pick<Setup, 'gameDir'>): Promise<Map<string, number>> {
  const { rows } = await readJournal(join(gameDir, JOURNAL_FILE))
  const times = new Map<string, number>()
  for (const { id, status } of rows) if (status === 'applied') times.set(id, (times.get(id) ?? 0) + 1)
  return times
}

type Handed = { gameDir: string; seen: readonly Seen[]; refunded: ReadonlySet<string> }

/** Holds what the clients bought against the game's own journal. */
export async function judgeGame(
  db: Db,
  { gameDir, seen, refunded }: Handed,
): Promise<Record<string, number>> {
  const applied = await appliedTimes({ gameDir })
  const bought = seen.filter((one) => one.act === 'exchange' || one.act === 'gift')
  const stored = await db.selectFrom('delivery').select(['id', 'state']).execute()
  return {
    deliveredTwice: [...applied.values()].filter((times) => times > 1).length,
    boughtNotDelivered: bought.filter(
      ({ deliveryId }) => !refunded.has(deliveryId) && !applied.has(deliveryId),
    ).length,
    refundedButDelivered: stored.filter(({ id, state }) => state === 'refunded' && applied.has(id)).length,
  }
}

async function wrongBalances({ db, buyers }: Setup, rows: readonly Row[]): Promise<number> {
  const spent = new Map<string, number>()
  for (const { username, state, amount } of rows) {
    if (state !== 'refunded') spent.set(username, (spent.get(username) ?? 0) + Number(amount))
  }
  const wallets = await db
    .selectFrom('ledger_account')
    .select(['id', 'balance'])
    .where(
      'id',
      'in',
      buyers.map(({ walletId }) => walletId),
    )
    .execute()
  const balances = new Map(wallets.map(({ id, balance }) => [id, Number(balance)]))
  const isWrong = ({ username, walletId, coins }: Setup['buyers'][number]) =>
    balances.get(walletId) !== coins - (spent.get(username) ?? 0)
  return buyers.filter(isWrong).length
}

const RANKED_MAX = 1_000

/** What the game itself says its characters have. They began with nothing. */
async function wrongLuong({ game, gameSecret, buyers }: Setup, rows: readonly Row[]): Promise<number> {
  const { rankings } = openHttpGame({ url: game.url, secret: gameSecret })
  const ours = new Set(buyers.map(({ username }) => username.toLowerCase()))
  const has = new Map<string, number>()
  for (const row of await rankings('luong', { serverId: '1', limit: RANKED_MAX })) {
    if (ours.has(row.account)) has.set(row.name, row.value)
  }
  const due = new Map<string, number>()
  for (const { state, character_name: name, goods } of rows) {
    if (state !== 'delivered') continue
    const luong = goods.filter(({ kind }) => kind === 'luong')
    due.set(
      name,
      luong.reduce((sum, { quantity }) => sum + quantity, due.get(name) ?? 0),
    )
  }
  const names = new Set([...has.keys(), ...due.keys()])
  return [...names].filter((name) => (has.get(name) ?? 0) !== (due.get(name) ?? 0)).length
}

function giftsTwice(rows: readonly Row[]): number {
  const live = new Map<string, number>()
  for (const { kind, state, username } of rows) {
    if (kind === 'gift' && state !== 'refunded') live.set(username, (live.get(username) ?? 0) + 1)
  }
  return [...live.values()].filter((count) => count > 1).length
}
