import { banEnd } from '#contract/users.ts'
import { formatNumber } from '#contract/format.ts'
import { setBan } from '#server/modules/accounts/index.ts'
import { appendAudit, type AuditActor } from '#server/modules/audit/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { coinsMissing, HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { notFound, Refusal, invariant } from '#server/platform/values/errors.ts'
import { once } from '#server/platform/idempotency/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { lockTrader, type Trader, insertActivation } from './traders.queries.ts'

export * from './traders.queries.ts'
export { personalTrade } from './personal.queries.ts'

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

/** It succeeds once; what else is asked is refused, and may not be asked without end. */
const ACTIVATIONS_PER_PLAYER = sharedLimit('activations', 600, 60)

export type BalanceAnswer = { message: string; report: true; balance: number }

type ActivationRequest = {
  userId: string
  key: string | null
  overLimit: Refusal | null
  requestId: string
}

/** The player pays the fee of the day and may trade from now on; once per account. */
export async function activateAccount(
  deps: PlatformDeps,
  { userId, key, overLimit, requestId }: ActivationRequest,
): Promise<BalanceAnswer> {
  const operation = key === null ? null : { scope: `user:${userId}:activate`, key, body: null }
  const pace = { limits: deps.limits, limit: ACTIVATIONS_PER_PLAYER, of: userId, overLimit }
  const work = async (tx: Tx) => {
    const player = await lockTrader(tx, userId)
    assertNotBanned(player, deps.clock.now())
    if (player.isActivated) throw new Refusal('ALREADY_ACTIVATED')
    const { activeFee } = await readSettings(tx)
    const balance = await activateWithin(tx, { player, fee: activeFee, actorUserId: userId, requestId })
    return {
      answer: { message: activationMessage(activeFee), report: true as const, balance },
      resultType: 'activation',
      resultId: userId,
    }
  }
  return once<BalanceAnswer>(deps.db, operation, work, pace)
}

type Activation = {
  /** Locked and not yet activated; its balance is what the fee is taken from. */
  player: Trader
  /** As the setting says now; copied into the row, so that a later audit can explain it. */
  fee: number
  actorUserId: string
  requestId: string
}

/** Takes the fee from the player's wallet and writes the fact, inside the caller's transaction. Answers the new balance. */
export async function activateWithin(
  tx: Tx,
  { player, fee, actorUserId, requestId }: Activation,
): Promise<number> {
  invariant(!player.isActivated, 'only an account that is not activated is activated')
  if (player.balance < fee) throw coinsMissing(fee - player.balance)
  if (fee === 0) {
    await insertActivation(tx, { userId: player.id, transferId: null, fee })
    return player.balance
  }
  const posted = await postTransfer(tx, {
    kind: 'activation',
    debit: player.walletId,
    credit: HOUSE.revenue,
    amount: fee,
    source: { type: 'user', id: player.id },
    actorUserId,
    requestId,
  })
  await insertActivation(tx, { userId: player.id, transferId: posted.transferId, fee })
  return posted.debitBalance
}

export function activationMessage(fee: number): string {
  return fee === 0
    ? 'Kích hoạt tài khoản thành công'
    : `Kích hoạt tài khoản thành công, phí kích hoạt là ${formatNumber(fee)} TCoin`
}

/** The message for a banned player, both when a trade is refused and as the warning at login. */
export function banMessage(until: Date, reason: string | null): string {
  const because = reason ? `, lý do: ${reason}` : ''
  return `Tài khoản đang bị khóa giao dịch ${banEnd(until.toISOString())}${because}`
}

const banned = (until: Date, reason: string | null) =>
  new Refusal('BANNED', { message: banMessage(until, reason) })

/** Money that was recharged has gone back to its payer, and the TCoin were spent. */
const inDebt = (debt: number) =>
  new Refusal('BANNED', {
    message: `Tài khoản đang tạm khóa giao dịch vì còn nợ ${formatNumber(debt)} TCoin của khoản nạp đã bị thu hồi, vui lòng nạp thêm để trả nợ`,
  })

/** An operator would give to, or take from, a wallet that belongs to nobody any more. */
export const playerErased = () =>
  new Refusal('CONFLICT', { message: 'Dữ liệu của người chơi này đã được xóa, ví không còn dùng được' })
