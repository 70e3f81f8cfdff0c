import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Seen } from './actors.ts'

export type Verdict = {
  /** Acts that were confirmed to a client. */
  acknowledged: number
  /** … of which no trace is left. */
  lost: number
  /** … or more than one. */
  doubled: number
  /** Effects in the ledger that were confirmed to no client. */
  unasked: number
  balancesWrong: number
  luongWrong: number
  deliveriesOpen: number
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

export function countKeys(keys: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>()
  for (const key of keys) counted.set(key, (counted.get(key) ?? 0) + 1)
  return counted
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

/** Compares the clients' logs with the ledger and the embedded game's data. */
export async function judge(db: Db, seen: readonly Seen[]): Promise<Verdict> {
  const { refunded, ...books } = await judgeBooks(db, seen)
  return { ...books, luongWrong: await wrongLuong(db, seen, refunded) }
}

/** Compares the clients' logs with the ledger. */
export async function judgeBooks(
  db: Db,
  seen: readonly Seen[],
): Promise<Omit<Verdict, 'luongWrong'> & { refunded: ReadonlySet<string> }> {
  const players = [...new Set(seen.map((entry) => entry.player))]
  const acknowledged = seen.map(keyOf).filter((key) => key !== null)
  const expected = countKeys(acknowledged)
  const actual = countKeys(await effects(db, players))
  let lost = 0
  let doubled = 0
  for (const [key, times] of expected) {
    lost += Math.max(0, times - (actual.get(key) ?? 0))
    doubled += Math.max(0, (actual.get(key) ?? 0) - times)
  }
  const unasked = [...actual.keys()].filter((key) => !expected.has(key)).length

  const deliveries = await db.selectFrom('delivery').select(['id', 'state']).execute()
  const refunded = new Set(deliveries.filter(({ state }) => state === 'refunded').map(({ id }) => id))
  return {
    acknowledged: acknowledged.length,
    lost,
    doubled,
    unasked,
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
