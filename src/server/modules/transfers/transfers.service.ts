import { randomUUID } from 'node:crypto'
import { PAYEES_PER_HOUR, type Payee } from '#contract/transfers.ts'
import { findVerifiedPhone, usernameKey, maskName } from '#server/modules/accounts/index.ts'
import type { MainCharacter } from '#server/modules/game-bridge/index.ts'
import { spendCode } from '#server/modules/otp/index.ts'
import { readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import {
  assertMayTrade,
  findTrader,
  findTraderByUsername,
  lockTraders,
  TRADES_PER_PLAYER,
  activateWithin,
  type BalanceAnswer,
  type Trader,
  walletAfter,
} from '#server/modules/traders/index.ts'
import { postTransfer, settleDebt } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { onceForPlayer, type Once } from '#server/platform/idempotency/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import {
  otpRequired,
  payeeIsPayer,
  payeeNotFound,
  phoneNotVerified,
  transferDisabled,
} from './transfers.errors.ts'
import { sumSentToday, charactersOfUser, selectRecentPayees } from './transfers.queries.ts'
import { assertPayable, decideTransfer, transferMessage } from './transfers.rules.ts'

type TransferRequest = {
  payerId: string
  /** A username in any case. */
  payee: string
  amount: number
  activate: boolean
  key: string | null
  overLimit: Refusal | null
  requestId: string
}

/**
 * Sends TCoin to another player; when requested, part of it activates their account in the same transaction.
 *
 * A refused transfer reveals whether there is such a player, so the name counts as one that was looked up. A player who
 * has looked up as many as an hour allows makes transfers only to players looked up in it, and to recent payees.
 */
export async function transferCoins(deps: PlatformDeps, request: TransferRequest): Promise<BalanceAnswer> {
  const { payerId, payee, amount, activate, key } = request
  const isUsedUp = (await deps.limits.counted(PAYEES_LOOKED_UP, payerId)) >= PAYEES_LOOKED_UP.points
  const isRecent = isUsedUp && (await isRecentPayee(deps, { payerId, payee }))
  const overLookUps = isUsedUp && !isRecent ? await refusalOf(countLookUp(deps, { payerId, payee })) : null
  const operation = {
    userId: payerId,
    key,
    overLimit: request.overLimit ?? overLookUps,
    scope: 'transfer',
    body: { payee, amount, activate },
    limit: TRADES_PER_PLAYER,
  }
  let revealsPayee = false
  const work = async (tx: Tx) => {
    const { sender, settings } = await findSender(deps, tx, payerId)
    assertPayable({ amount, balance: sender.balance, transferMin: settings.transferMin })
    if (usernameKey(payee) === usernameKey(sender.username)) throw payeeIsPayer()
    revealsPayee = true
    const [payer, receiver] = await lockPair(tx, sender, payee)
    assertMayTrade(payer, deps.clock.now())
    return transferLocked(deps, tx, { request, settings, payer, receiver })
  }
  try {
    return await onceForPlayer<BalanceAnswer>(deps, operation, work)
  } catch (error) {
    if (error instanceof Refusal && revealsPayee && !isRecent) await countLookUp(deps, { payerId, payee })
    throw error
  }
}

/** Who makes a transfer, and the settings; refused while transfers are closed, and to whoever may not trade. */
async function findSender(
  { clock }: PlatformDeps,
  db: Db | Tx,
  payerId: string,
): Promise<{ sender: Trader; settings: SettingValues }> {
  const settings = await readSettings(db)
  if (!settings.isTransferEnabled) throw transferDisabled()
  const sender = await findTrader(db, payerId)
  invariant(sender, 'a live session belongs to an account')
  assertMayTrade(sender, clock.now())
  return { sender, settings }
}

/**
 * Payer and payee, both locked. A payee who is banned may still receive: the ban stops what they do themselves, and
 * the payer has no way to know of it.
 */
async function lockPair(tx: Tx, payer: Trader, payee: string): Promise<[Trader, Trader]> {
  const receiver = await findTraderByUsername(tx, payee)
  if (!receiver) throw payeeNotFound()
  const locked = await lockTraders(tx, payer, receiver)
  // Erased while the lock was waited for.
  if (locked[1].isErased) throw payeeNotFound()
  return locked
}

type LockedPair = { request: TransferRequest; settings: SettingValues; payer: Trader; receiver: Trader }

async function transferLocked(
  deps: PlatformDeps,
  tx: Tx,
  { request, settings, payer, receiver }: LockedPair,
): Promise<Once<BalanceAnswer>> {
  const { payerId, amount, key, requestId } = request
  const { activationFee, needsCode } = decideTransfer({
    amount,
    isActivationRequested: request.activate,
    isPayeeActivated: receiver.isActivated,
    balance: payer.balance,
    sentToday: await sumSentToday(tx, payer.walletId),
    activeFee: settings.activeFee,
    transferMin: settings.transferMin,
    transferDailyLimit: settings.transferDailyLimit,
    transferOtpLimit: settings.transferOtpLimit,
  })
  if (needsCode) await spendVerifiedCode(deps, tx, { payer, limit: settings.transferOtpLimit })
  const posted = await postTransfer(tx, {
    kind: 'p2p',
    debit: payer.walletId,
    credit: receiver.walletId,
    amount,
    // The key again: were its own row ever lost, the ledger would still refuse to pay twice under it.
    source: { type: 'transfer', id: key === null ? randomUUID() : `${payerId}:${key}` },
    actorUserId: payerId,
    requestId,
  })
  if (activationFee !== null) {
    await activateWithin(tx, {
      player: { ...receiver, balance: posted.creditBalance },
      fee: activationFee,
      actorUserId: payerId,
      requestId,
    })
  }
  if (receiver.debt > 0) {
    await settleDebt(tx, {
      player: receiver,
      source: { type: 'ledger_transfer', id: posted.transferId },
      actor: { requestId },
    })
  }
  return {
    answer: {
      message: transferMessage({ amount, payee: receiver.username, activationFee }),
      report: true,
      ...walletAfter(payer, posted.debitBalance),
    },
    resultType: 'ledger_transfer',
    resultId: posted.transferId,
  }
}

/** The code goes with the transfer: whatever undoes the one gives back the other. */
async function spendVerifiedCode(
  { vault }: PlatformDeps,
  tx: Tx,
  { payer, limit }: { payer: Trader; limit: number },
): Promise<void> {
  const phone = await findVerifiedPhone(tx, payer.id)
  if (phone === null) throw phoneNotVerified(limit)
  const isSpent = await spendCode(vault, tx, { target: { channel: 'phone', phone }, code: null })
  if (!isSpent) throw otpRequired(limit)
}

type LookUp = { payerId: string; payee: string }

/** Names that a player looked up, right or wrong; looking up one of them again costs nothing. */
const PAYEES_LOOKED_UP = sharedLimit('payees asked', PAYEES_PER_HOUR, 3_600)

const nameOf = (payee: string) => usernameKey(payee) ?? payee.toLowerCase()

/** Who would receive a transfer, for a player who may make one; it reveals no more than the transfer would. */
export async function lookUpPayee(deps: PlatformDeps, { payerId, payee }: LookUp): Promise<Payee> {
  const { sender } = await findSender(deps, deps.db, payerId)
  if (nameOf(payee) === usernameKey(sender.username)) throw payeeIsPayer()
  await countLookUp(deps, { payerId, payee })
  const found = await findTraderByUsername(deps.db, payee, { character: charactersOfUser })
  if (!found || found.isErased) throw payeeNotFound()
  return shown(found)
}

/** The players whom this one paid last; they cost no look-up. */
export async function recentPayees(deps: PlatformDeps, userId: string): Promise<Payee[]> {
  return (await selectRecentPayees(deps.db, userId)).map((row) =>
    shown({ ...row, isActivated: Boolean(row.isActivated) }),
  )
}

type Found = { username: string; isActivated: boolean; character: MainCharacter | null }

const shown = ({ username, isActivated, character }: Found): Payee => ({
  username,
  activated: isActivated,
  character: character && { name: maskName(character.name), head: character.head },
})

const countLookUp = (deps: PlatformDeps, { payerId, payee }: LookUp): Promise<void> =>
  deps.limits.consumeNew(PAYEES_LOOKED_UP, payerId, nameOf(payee))

async function isRecentPayee(deps: PlatformDeps, { payerId, payee }: LookUp): Promise<boolean> {
  const recent = await selectRecentPayees(deps.db, payerId)
  return recent.some(({ username }) => usernameKey(username) === nameOf(payee))
}

async function refusalOf(counting: Promise<void>): Promise<Refusal | null> {
  try {
    await counting
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
