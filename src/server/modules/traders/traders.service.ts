import type { RawBuilder } from 'kysely'
import { banEnd } from '#contract/users.ts'
import { formatNumber } from '#contract/format.ts'
import { setBan, usernameKey } from '#server/modules/accounts/index.ts'
import { appendAudit, type AuditActor } from '#server/modules/audit/index.ts'
import { recordAccountChange } from '#server/modules/game-accounts/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { coinsMissing, HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { conflict, notFound, Refusal, invariant } from '#server/platform/values/errors.ts'
import { onceForPlayer } from '#server/platform/idempotency/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import {
  insertActivation,
  insertActivations,
  lockWallet,
  exportActivation,
  selectNotifiedTrader,
  selectTrader,
  selectTraderByKey,
  type Facts,
  type TraderRow,
} from './traders.queries.ts'

/** A player as a trade sees them. `balance` is only to be trusted from a lock. */
export type Trader = {
  id: string
  username: string
  serverId: string
  walletId: string
  balance: number
  /** How often the balance has changed. */
  walletVersion: number
  /** TCoin they owe since a recharge was taken back; as trustworthy as the balance. */
  debt: number
  isActivated: boolean
  banUntil: Date | null
  banReason: string | null
  /** Their person was erased: nobody can use the wallet any more. */
  isErased: boolean
}

/** A player whose balance is changed by others, and their verified address for mail about it. */
export type NotifiedTrader = Trader & { email: string | null }

type NoFacts = Record<never, never>
type ValuesOf<F extends Facts> = {
  [Name in keyof F]: F[Name] extends RawBuilder<infer Value> ? Value : never
}

const toTrader = <Row extends TraderRow>({ owed, activatedAt, erasedAt, ...row }: Row) => ({
  ...row,
  balance: parseCoins(row.balance),
  walletVersion: Number(row.walletVersion),
  debt: owed === null ? 0 : 0 - parseCoins(owed),
  isActivated: activatedAt !== null,
  isErased: erasedAt !== null,
})

export async function findTrader(db: Db | Tx, userId: string): Promise<Trader | undefined> {
  const row = await selectTrader(db, userId)
  return row && toTrader(row)
}

export async function findNotifiedTrader(db: Db | Tx, userId: string): Promise<NotifiedTrader | undefined> {
  const row = await selectNotifiedTrader(db, userId)
  return row && toTrader(row)
}

/**
 * Ignores case, as login and payee do. Usernames are ASCII; anything else names nobody, since Unicode's lower case
 * would turn a look-alike (the Kelvin sign) into a letter of somebody's name.
 */
export async function findTraderByUsername<F extends Facts = NoFacts>(
  db: Db | Tx,
  username: string,
  facts?: F,
): Promise<(Trader & ValuesOf<F>) | undefined> {
  const key = usernameKey(username)
  const row = key === null ? undefined : await selectTraderByKey(db, key, facts)
  return row && (toTrader(row) as Trader & ValuesOf<F>)
}

/**
 * Locks the wallet and reads its owner. The wallet's row is the lock that makes a player's trades take turns. The read
 * is a statement of its own: one that waited for the lock would answer the balance of now with the activation and the
 * ban of before the wait, since only the locked row is read again.
 */
export async function lockTrader<F extends Facts = NoFacts>(
  tx: Tx,
  userId: string,
  facts?: F,
): Promise<Trader & ValuesOf<F>> {
  await lockWallet(tx, userId)
  const row = await selectTrader(tx, userId, facts)
  invariant(row, 'whose wallet is locked has an account')
  return toTrader(row) as Trader & ValuesOf<F>
}

/** The same for whoever is notified, and for a player whom another row names; undefined when nobody is. */
export async function lockNotifiedTrader<F extends Facts = NoFacts>(
  tx: Tx,
  userId: string | RawBuilder<string>,
  facts?: F,
): Promise<(NotifiedTrader & ValuesOf<F>) | undefined> {
  await lockWallet(tx, userId)
  const row = await selectNotifiedTrader(tx, userId, facts)
  return row && (toTrader(row) as NotifiedTrader & ValuesOf<F>)
}

/** Which account was activated when stays with the ledger. */
export const personalTrade: PersonalPart = {
  lists: { activation: exportActivation },
  erase: eraseNothing,
  open: {
    balance: async (tx, { id }) => (await findTrader(tx, id))?.balance ?? 0,
    debt: async (tx, { id }) => (await findTrader(tx, id))?.debt ?? 0,
  },
}

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

/** Throws BANNED or NOT_ACTIVATED: a ban, a debt and a missing activation prevent trading. */
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

/** Prevents a player from trading until a moment. Login stays open, so that they can read why. */
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

/** It succeeds once; refused repeats are limited too. */
const ACTIVATIONS_PER_PLAYER = sharedLimit('activations', 600, 60)

type WalletAnswer = { balance: number; balance_version: number }

/** What a player is answered of their wallet, whose balance at most one posting has changed since it was locked. */
export const walletAfter = ({ balance: before, walletVersion }: Trader, balance: number): WalletAnswer => ({
  balance,
  balance_version: balance === before ? walletVersion : walletVersion + 1,
})

export type BalanceAnswer = { message: string; report: true } & WalletAnswer

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
  const work = async (tx: Tx) => {
    const player = await lockTrader(tx, userId)
    assertNotBanned(player, deps.clock.now())
    if (player.isActivated) throw new Refusal('ALREADY_ACTIVATED')
    const { activeFee } = await readSettings(tx)
    const balance = await activateWithin(tx, { player, fee: activeFee, actorUserId: userId, requestId })
    return {
      answer: {
        message: activationMessage(activeFee),
        report: true as const,
        ...walletAfter(player, balance),
      },
      resultType: 'activation',
      resultId: userId,
    }
  }
  const limited = { userId, key, overLimit, limit: ACTIVATIONS_PER_PLAYER }
  return onceForPlayer<BalanceAnswer>(deps, { ...limited, scope: 'activate', body: null }, work)
}

type Activation = {
  /** Locked and not yet activated; its balance is what the fee is taken from. */
  player: Trader
  /** The setting's value now; copied into the row, so that a later audit can explain it. */
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
    await activate(tx, { userId: player.id, transferId: null, fee })
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
  await activate(tx, { userId: player.id, transferId: posted.transferId, fee })
  return posted.debitBalance
}

async function activate(tx: Tx, activation: Parameters<typeof insertActivation>[1]): Promise<void> {
  await insertActivation(tx, activation)
  await recordAccountChange(tx, activation.userId)
}

/** Accounts that the game has activated itself, which therefore is not told. */
export const activateAsInGame = (tx: Tx, userIds: readonly string[]): Promise<void> =>
  insertActivations(tx, userIds)

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
export const playerErased = () => conflict('Dữ liệu của người chơi này đã được xóa, ví không còn dùng được')
