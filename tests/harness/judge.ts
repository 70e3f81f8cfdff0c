import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import type { Seen } from './players.ts'
import { countsOf, secondsSince, sum } from './statistics.ts'

/** Figures that all have to be zero. */
export type Counts = Record<string, number>

export type Verdict = {
  /** Acts that were confirmed to a client. */
  acknowledged: number
  /** The clients' log against the ledger and the game. */
  books: Counts
  /** The checks of the reconciliation. */
  reconcile: Counts
}

/** What is not zero. */
export const offending = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))

export const total = (counts: Counts) => sum(Object.values(counts))

/** A run in which nothing was acknowledged proves nothing. */
export const isCleanVerdict = ({ acknowledged, books, reconcile: checks }: Verdict) =>
  acknowledged > 0 && total(books) + total(checks) === 0

/** A database as the judge reads it. */
export async function withJudge<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = openDatabase({ url, log: openLog('fatal'), connectionsMax: 2, statementTimeoutMs: 600_000 })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

export const SETTLE_MS_MAX = 120_000

/** Waits until no delivery is open and no payment event undecided; answers for how many seconds. */
export async function settle(db: Db, msMax = SETTLE_MS_MAX): Promise<number> {
  const began = performance.now()
  for (; performance.now() - began < msMax; await sleep(200)) {
    const { rows } = await sql`
      SELECT WHERE EXISTS (SELECT FROM delivery WHERE state NOT IN ('delivered', 'refunded'))
                OR EXISTS (SELECT FROM payment_event WHERE status = 'new')`.execute(db)
    if (rows.length === 0) break
  }
  return secondsSince(began)
}

/** The reconciliation's checks with what each found. */
export const reconciled = async (db: Db): Promise<Counts> =>
  Object.fromEntries((await reconcile(db)).map(({ check, count }) => [check, count]))

/** Compares the clients' logs with ledger, reconciliation, and the game: the embedded one, or the journal in its folder. */
export async function judge(
  db: Db,
  seen: readonly Seen[],
  gameDir: string | 'embedded' | null,
): Promise<Verdict> {
  const { acknowledged, refunded, ...ledger } = await judgeLedger(db, seen)
  const game =
    gameDir === null
      ? {}
      : gameDir === 'embedded'
        ? { luongWrong: await wrongLuong(db, seen, refunded) }
        : await judgeJournal(db, { gameDir, seen, refunded })
  return { acknowledged, books: { ...ledger, ...game }, reconcile: await reconciled(db) }
}

export const keyOf = (seen: Seen): string | null => {
  switch (seen.act) {
    case 'recharge':
      return `recharge ${seen.player} ${seen.amount} ${seen.code}`
    case 'activation':
      return `activation ${seen.player} ${seen.amount}`
    case 'exchange':
    case 'gift':
      return `${seen.act} ${seen.player} ${seen.amount} ${seen.deliveryId}`
    case 'transfer':
      return `transfer ${seen.player} ${seen.payee} ${seen.amount}`
    default:
      return null
  }
}

/** Every effect in the ledger, in the format of the clients' log. */
export async function effects(db: Db, players: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ effect: string }>`
    SELECT CASE t.kind
        WHEN 'recharge' THEN 'recharge ' || payee.username || ' ' || t.amount || ' ' || o.code
        WHEN 'activation' THEN 'activation ' || payer.username || ' ' || t.amount
        WHEN 'exchange_hold' THEN 'exchange ' || payer.username || ' ' || t.amount || ' ' || t.source_id
        WHEN 'gift_hold' THEN 'gift ' || payer.username || ' ' || t.amount || ' ' || t.source_id
        WHEN 'p2p' THEN 'transfer ' || payer.username || ' ' || payee.username || ' ' || t.amount
      END AS effect
      FROM ledger_transfer t
      LEFT JOIN users payer ON payer.wallet_account_id = t.debit_account
      LEFT JOIN users payee ON payee.wallet_account_id = t.credit_account
      LEFT JOIN bank_transaction b ON b.transfer_id = t.id
      LEFT JOIN payment_order o ON o.id = b.order_id
     WHERE t.kind IN ('recharge', 'activation', 'exchange_hold', 'gift_hold', 'p2p')
       AND coalesce(payer.username, payee.username) = ANY(${players})`.execute(db)
  return rows.map((row) => row.effect)
}

function expectedBalances(seen: readonly Seen[], refunded: ReadonlySet<string>): Map<string, number> {
  const balances = new Map<string, number>()
  const add = (player: string, amount: number) => balances.set(player, (balances.get(player) ?? 0) + amount)
  for (const entry of seen) {
    if (entry.act === 'recharge') add(entry.player, entry.amount)
    if (entry.act === 'activation') add(entry.player, -entry.amount)
    const isPurchase = entry.act === 'exchange' || entry.act === 'gift'
    if (isPurchase && !refunded.has(entry.deliveryId)) add(entry.player, -entry.amount)
    if (entry.act === 'transfer') {
      add(entry.player, -entry.amount)
      add(entry.payee, entry.amount)
    }
  }
  return balances
}

async function judgeLedger(db: Db, seen: readonly Seen[]) {
  const players = [...new Set(seen.map((entry) => entry.player))]
  const acknowledged = seen.map(keyOf).filter((key) => key !== null)
  const expected = countsOf(acknowledged)
  const actual = countsOf(await effects(db, players))
  let lost = 0
  let doubled = 0
  for (const [key, times] of expected) {
    lost += Math.max(0, times - (actual.get(key) ?? 0))
    doubled += Math.max(0, (actual.get(key) ?? 0) - times)
  }
  const deliveries = await db.selectFrom('delivery').select(['id', 'state']).execute()
  const refunded = new Set(deliveries.filter(({ state }) => state === 'refunded').map(({ id }) => id))
  return {
    acknowledged: acknowledged.length,
    lost,
    doubled,
    /** Effects that were confirmed to no client. */
    unasked: [...actual.keys()].filter((key) => !expected.has(key)).length,
    balancesWrong: await wrongBalances(db, expectedBalances(seen, refunded)),
    deliveriesOpen: deliveries.filter(({ state }) => state !== 'delivered' && state !== 'refunded').length,
    refunded,
  }
}

async function wrongBalances(db: Db, expected: ReadonlyMap<string, number>): Promise<number> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('ledger_account', 'ledger_account.id', 'users.wallet_account_id')
    .select(['users.username', 'ledger_account.balance'])
    .where('users.username', 'in', [...expected.keys()])
    .execute()
  return rows.filter((row) => Number(row.balance) !== expected.get(row.username)).length
}

async function wrongLuong(db: Db, seen: readonly Seen[], refunded: ReadonlySet<string>): Promise<number> {
  const gained = new Map<string, number>()
  for (const entry of seen) {
    if (entry.act !== 'exchange' || refunded.has(entry.deliveryId)) continue
    gained.set(entry.characterId, (gained.get(entry.characterId) ?? 0) + entry.receive)
  }
  if (gained.size === 0) return 0
  const rows = await db
    .selectFrom('game.characters')
    .select(['id', 'luong'])
    .where('id', 'in', [...gained.keys()])
    .execute()
  // New characters start without luong, so all they have came through deliveries.
  return rows.filter((row) => Number(row.luong) !== gained.get(row.id)).length
}

/** How often the game applied each delivery, by its own journal; with a moment (ms), only before it. */
export async function appliedTimes(gameDir: string, before = Infinity): Promise<Map<string, number>> {
  const { rows } = await readJournal(join(gameDir, JOURNAL_FILE))
  const isMeant = ({ status, at = '' }: (typeof rows)[number]) =>
    status === 'applied' && (before === Infinity || Date.parse(at) < before)
  return countsOf(rows.filter(isMeant).map(({ id }) => id))
}

type Bought = { gameDir: string; seen: readonly Seen[]; refunded: ReadonlySet<string> }

async function judgeJournal(db: Db, { gameDir, seen, refunded }: Bought): Promise<Counts> {
  const applied = await appliedTimes(gameDir)
  const bought = seen.filter((one) => one.act === 'exchange' || one.act === 'gift')
  const wasRefunded = ({ deliveryId }: { deliveryId: string }) => refunded.has(deliveryId)
  return {
    ...(await compareWithJournal(db, applied)),
    boughtNotDelivered: bought.filter((one) => !wasRefunded(one) && !applied.has(one.deliveryId)).length,
    giftsTwice: [
      ...countsOf(
        bought.flatMap((one) => (one.act === 'gift' && !wasRefunded(one) ? [one.player] : [])),
      ).values(),
    ].filter((times) => times > 1).length,
  }
}

/** Holds the final states of deliveries against the game's journal. */
export async function compareWithJournal(db: Db, applied: ReadonlyMap<string, number>) {
  const stored = await db.selectFrom('delivery').select(['id', 'state']).execute()
  const count = (wanted: string, isApplied: boolean) =>
    stored.filter(({ id, state }) => state === wanted && applied.has(id) === isApplied).length
  return {
    deliveredTwice: [...applied.values()].filter((times) => times > 1).length,
    deliveredNotApplied: count('delivered', false),
    refundedButDelivered: count('refunded', true),
  }
}
