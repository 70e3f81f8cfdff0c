import type { NotifiedTrader } from '#server/modules/traders/index.ts'
import { queueMailWithNext } from '#server/modules/mail/index.ts'
import { coinsFor, markOrderPaid } from '#server/modules/recharge/index.ts'
import type { BankEvent } from '#server/modules/payment-providers/index.ts'
import { HOUSE, postTransfer, settleDebt, type LedgerActor } from '#server/modules/wallet/index.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import { creditedMail } from './credited.mails.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import type { PaidStatus } from './matching.rules.ts'
import { markCredited } from './settlement.queries.ts'

export type Crediting = {
  /** The payment event that reported it; null when an operator credits. */
  event: (Pick<BankEvent, 'provider' | 'providerEventId'> & { id: string }) | null
  transfer: { id: string; bankRef: string | null }
  player: Pick<NotifiedTrader, 'id' | 'walletId' | 'username' | 'email'>
  /** VND that arrived. */
  amount: number
  /** TCoin per VND. */
  rate: number
  /** The order it pays for; null when an operator credits a player directly. */
  order: { id: string; code: string; status: PaidStatus } | null
  /** Written in the player's mail. */
  at: Date
  /** How often a credit of this transfer was reversed: each next one is an operation of its own to the ledger. */
  reversals: number
  actor: LedgerActor
}

/**
 * Turns money that arrived into TCoin, once: the ledger refuses a second credit of one bank transaction, unless the one
 * before was reversed. What the player owes is paid from it first. The caller has locked the event, the order and the
 * bank transaction, in this order. Answers the TCoin.
 */
export async function creditTransfer(
  { vault, publicUrl, log }: Pick<BankInboxDeps, 'vault' | 'publicUrl' | 'log'>,
  tx: Tx,
  crediting: Crediting,
): Promise<number> {
  const { event, transfer, player, amount, rate, order, at, reversals, actor } = crediting
  const coins = coinsFor(amount, rate)
  // Before the house's row is locked, for which others wait until the commit.
  if (order !== null) await markOrderPaid(tx, { ...order, coins })
  const { transferId, creditBalance: balance } = await postTransfer(tx, {
    kind: 'recharge',
    debit: HOUSE.recharge,
    credit: player.walletId,
    amount: coins,
    source: {
      type: 'bank_transaction',
      id: reversals === 0 ? transfer.id : `${transfer.id}:${reversals}`,
    },
    ...actor,
  })
  const { owed } = await markCredited(tx, {
    bankTransactionId: transfer.id,
    transferId,
    userId: player.id,
    coins,
    eventId: event?.id ?? null,
  })
  const paid =
    owed === 0
      ? 0
      : await settleDebt(tx, { player, source: { type: 'ledger_transfer', id: transferId }, actor })
  afterCommit(() =>
    log.info(
      {
        event: 'payment.credited',
        orderCode: order?.code ?? null,
        provider: event?.provider ?? null,
        providerEventId: event?.providerEventId ?? null,
        bankRef: transfer.bankRef,
        bankTransactionId: transfer.id,
        transferId,
        userId: player.id,
        amount,
        coins,
        ...actor,
      },
      'a payment was credited',
    ),
  )
  const { username, email } = player
  if (email !== null) {
    const code = order?.code ?? null
    await queueMailWithNext(
      vault,
      tx,
      creditedMail({ to: email, username }, { amount, coins, balance: balance - paid, code, at, publicUrl }),
    )
  }
  return coins
}
