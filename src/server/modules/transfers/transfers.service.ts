import { randomUUID } from 'node:crypto'
import { findVerifiedPhone, usernameKey } from '#server/modules/accounts/index.ts'
import {
  assertMayTrade,
  findTrader,
  findTraderByUsername,
  lockTraders,
  TRADES_PER_PLAYER,
  activateWithin,
  type BalanceAnswer,
  type Trader,
} from '#server/modules/traders/index.ts'
import { spendCode } from '#server/modules/otp/index.ts'
import { readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import { postTransfer, settleDebt } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { invariant, type Refusal } from '#server/platform/values/errors.ts'
import { once } from '#server/platform/idempotency/idempotency.ts'
import {
  otpRequired,
  payeeIsPayer,
  payeeNotFound,
  phoneNotVerified,
  transferDisabled,
} from './transfers.errors.ts'
import { countingNames } from './payees.service.ts'
import { sumSentToday } from './transfers.queries.ts'
import { assertPayable, decideTransfer, transferMessage, type TransferDecision } from './transfers.rules.ts'

export type TransfersDeps = PlatformDeps

export type TransferRequest = {
  payerId: string
  /** A username in any case. */
  payee: string
  amount: number
  activate: boolean
  key: string | null
  overLimit: Refusal | null
  requestId: string
}

/** Sends TCoin to another player; when asked to, part of it activates their account in the same transaction. */
export async function transferCoins(deps: TransfersDeps, request: TransferRequest): Promise<BalanceAnswer> {
  return countingNames(deps, request, ({ overLimit, told }) =>
    transferOnce(deps, { ...request, overLimit: request.overLimit ?? overLimit }, told),
  )
}

/** `told` is called where a refusal begins to say something about the payee. */
async function transferOnce(
  deps: TransfersDeps,
  request: TransferRequest,
  told: () => void,
): Promise<BalanceAnswer> {
  const { payerId, payee, amount, activate, key, overLimit } = request
  const operation =
    key === null ? null : { scope: `user:${payerId}:transfer`, key, body: { payee, amount, activate } }
  const pace = { limits: deps.limits, limit: TRADES_PER_PLAYER, of: payerId, overLimit }
  const work = async (tx: Tx) => {
    const settings = await readSettings(tx)
    if (!settings.isTransferEnabled) throw transferDisabled()
    const asking = await findTrader(tx, payerId)
    invariant(asking, 'a live session belongs to an account')
    assertMayTrade(asking, deps.clock.now())
    assertPayable({ amount, balance: asking.balance, transferMin: settings.transferMin })
    const [payer, receiver] = await lockPair(tx, { payer: asking, payee, told })
    assertMayTrade(payer, deps.clock.now())
    const { activationFee, needsCode } = await decide(tx, { request, settings, payer, receiver })
    if (needsCode) await spendVerifiedCode(deps, tx, { payer, limit: settings.transferOtpLimit })
    const posted = await postTransfer(tx, {
      kind: 'p2p',
      debit: payer.walletId,
      credit: receiver.walletId,
      amount,
      // The key again: were its own row ever lost, the ledger would still refuse to pay twice under it.
      source: { type: 'transfer', id: key === null ? randomUUID() : `${payerId}:${key}` },
      actorUserId: payerId,
      requestId: request.requestId,
    })
    if (activationFee !== null) {
      await activateWithin(tx, {
        player: { ...receiver, balance: posted.creditBalance },
        fee: activationFee,
        actorUserId: payerId,
        requestId: request.requestId,
      })
    }
    if (receiver.debt > 0) {
      await settleDebt(tx, {
        player: receiver,
        source: { type: 'ledger_transfer', id: posted.transferId },
        actor: { requestId: request.requestId },
      })
    }
    const message = transferMessage({ amount, payee: receiver.username, activationFee })
    return {
      answer: { message, report: true as const, balance: posted.debitBalance },
      resultType: 'ledger_transfer',
      resultId: posted.transferId,
    }
  }
  return once<BalanceAnswer>(deps.db, operation, work, pace)
}

/**
 * Payer and payee, both locked. A payee who is banned may still receive: the ban stops what they do themselves, and
 * the payer has no way to know of it.
 */
async function lockPair(
  tx: Tx,
  { payer, payee, told }: { payer: Trader; payee: string; told: () => void },
): Promise<[Trader, Trader]> {
  if (usernameKey(payee) === usernameKey(payer.username)) throw payeeIsPayer()
  told()
  const receiver = await findTraderByUsername(tx, payee)
  if (!receiver) throw payeeNotFound()
  const locked = await lockTraders(tx, payer, receiver)
  // Erased while the lock was waited for.
  if (locked[1].isErased) throw payeeNotFound()
  return locked
}

type Decision = { request: TransferRequest; settings: SettingValues; payer: Trader; receiver: Trader }

async function decide(tx: Tx, { request, settings, payer, receiver }: Decision): Promise<TransferDecision> {
  return decideTransfer({
    amount: request.amount,
    wantsActivation: request.activate,
    isPayeeActivated: receiver.isActivated,
    balance: payer.balance,
    sentToday: await sumSentToday(tx, payer.walletId),
    activeFee: settings.activeFee,
    transferMin: settings.transferMin,
    transferDailyLimit: settings.transferDailyLimit,
    transferOtpLimit: settings.transferOtpLimit,
  })
}

/** The code goes with the transfer: whatever undoes the one gives back the other. */
async function spendVerifiedCode(
  { vault }: TransfersDeps,
  tx: Tx,
  { payer, limit }: { payer: Trader; limit: number },
): Promise<void> {
  const phone = await findVerifiedPhone(tx, payer.id)
  if (phone === null) throw phoneNotVerified(limit)
  const isSpent = await spendCode(vault, tx, { target: { channel: 'phone', phone }, code: null })
  if (!isSpent) throw otpRequired(limit)
}
