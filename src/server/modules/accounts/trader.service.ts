import type { Tx } from '#server/platform/db/transaction.ts'
import { banned, inDebt, notActivated } from './accounts.errors.ts'
import { lockTraderRow, type Trader } from './trader.queries.ts'

export {
  findNotifiedTrader,
  findTrader,
  findTraderByUsername,
  findVerifiedPhone,
  type NotifiedTrader,
  type Trader,
} from './trader.queries.ts'

/** Locks one player's wallet for a trade. */
export async function lockTrader(tx: Tx, userId: string): Promise<Trader> {
  return lockTraderRow(tx, userId)
}

/** Locks two players' wallets, always the lower ledger account first, so that A→B and B→A cannot wait for each other. */
export async function lockTraders(tx: Tx, first: Trader, second: Trader): Promise<[Trader, Trader]> {
  const isFirstLower = BigInt(first.walletId) < BigInt(second.walletId)
  const lower = await lockTraderRow(tx, (isFirstLower ? first : second).id)
  const higher = await lockTraderRow(tx, (isFirstLower ? second : first).id)
  return isFirstLower ? [lower, higher] : [higher, lower]
}

export function isBanned(trader: Pick<Trader, 'banUntil'>, now: Date): boolean {
  return trader.banUntil !== null && trader.banUntil > now
}

/** Throws BANNED while a ban runs. */
export function assertNotBanned(trader: Pick<Trader, 'banUntil' | 'banReason'>, now: Date): void {
  if (isBanned(trader, now)) throw banned(trader.banUntil as Date, trader.banReason)
}

/** Throws BANNED or NOT_ACTIVATED: a ban, a debt and a missing activation keep a player from trading. */
export function assertMayTrade(
  trader: Pick<Trader, 'banUntil' | 'banReason' | 'isActivated' | 'debt'>,
  now: Date,
): void {
  assertNotBanned(trader, now)
  // What comes in pays that first.
  if (trader.debt > 0) throw inDebt(trader.debt)
  if (!trader.isActivated) throw notActivated()
}
