import { setBan } from '#server/modules/accounts/index.ts'
import { appendAudit, type AuditActor } from '#server/modules/audit/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound, Refusal } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { banned, inDebt } from './traders.errors.ts'
import { lockTrader, type Trader } from './traders.queries.ts'

/** Transfers, exchanges and gifts of one player, together. */
export const TRADES_PER_PLAYER = sharedLimit('trades', 600, 60)

/** Locks two players' wallets, always the lower ledger account first, so that A→B and B→A cannot wait for each other. */
export async function lockTraders(tx: Tx, first: Trader, second: Trader): Promise<[Trader, Trader]> {
  const isFirstLower = BigInt(first.walletId) < BigInt(second.walletId)
  const lower = await lockTrader(tx, (isFirstLower ? first : second).id)
  const higher = await lockTrader(tx, (isFirstLower ? second : first).id)
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
  if (!trader.isActivated) throw new Refusal('NOT_ACTIVATED')
}

type Ban = { userId: string; until: Date; reason: string; actor: AuditActor; requestId?: string }

/** Keeps a player from trading until a moment. Login stays open, so that they can read why. */
export async function banPlayer(tx: Tx, { userId, until, reason, actor, requestId }: Ban): Promise<void> {
  if (!(await setBan(tx, { userId, scope: 'trading', until, reason }))) throw notFound()
  await appendAudit(tx, {
    actor,
    action: 'users.ban',
    subject: { type: 'user', id: userId },
    reason,
    details: { until: until.toISOString() },
    requestId,
  })
}
