import type { NotifiedTrader } from '#server/modules/traders/index.ts'
import { queueMail } from '#server/modules/mail/index.ts'
import { coinsFor, markOrderPaid } from '#server/modules/recharge/index.ts'
import { HOUSE, postTransfer, settleDebt } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { creditedLetter } from './credited.letters.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import type { PaidStatus } from './matching.rules.ts'
import { markCredited } from './settlement.queries.ts'

export type Crediting = {
  /** What told of it; absent when an operator credits. */
  eventId?: string
  bankTransactionId: string
  player: Pick<NotifiedTrader, 'id' | 'walletId' | 'username' | 'email'>
  /** VND that arrived. */
  amount: number
  /** TCoin per VND. */
  rate: number
  /** The order it pays for; null when an operator credits a player directly. */
  order: { id: string; code: string; status: PaidStatus } | null
  /** Told to the player. */
  at: Date
  operatorId?: string
  /** How often a credit of this transfer was taken back: each next one is an operation of its own to the ledger. */
  takenBack?: number
  requestId: string | undefined
}

/**
 * Turns money that arrived into TCoin, once: the ledger refuses a second credit of one bank transaction, unless the one
 * before was taken back. What the player owes is paid from it first. The caller has locked the event, the order and the
 * bank transaction, in this order. Answers the TCoin.
 */
export async function creditTransfer(
  { vault, publicUrl }: Pick<BankInboxDeps, 'vault' | 'publicUrl'>,
  tx: Tx,
  crediting: Crediting,
): Promise<number> {
  const { player, amount, rate, order, at, bankTransactionId, eventId = null, takenBack = 0 } = crediting
  const actor = actorOf(crediting)
  const coins = coinsFor(amount, rate)
  const { transferId, creditBalance: balance } = await postTransfer(tx, {
    kind: 'recharge',
    debit: HOUSE.recharge,
    credit: player.walletId,
    amount: coins,
    source: {
      type: 'bank_transaction',
      id: takenBack === 0 ? bankTransactionId : `${bankTransactionId}:${takenBack}`,
    },
    ...actor,
  })
  const { owed } = await markCredited(tx, {
    bankTransactionId,
    transferId,
    userId: player.id,
    coins,
    eventId,
  })
  if (order !== null) await markOrderPaid(tx, { id: order.id, status: order.status, coins })
  const paid =
    owed === 0
      ? 0
      : await settleDebt(tx, { player, source: { type: 'ledger_transfer', id: transferId }, actor })
  const { username, email } = player
  if (email !== null) {
    const code = order?.code ?? null
    await queueMail(
      vault,
      tx,
      creditedLetter({ username, email }, { amount, coins, balance: balance - paid, code, at, publicUrl }),
    )
  }
  return coins
}

function actorOf({ operatorId, requestId }: Pick<Crediting, 'operatorId' | 'requestId'>) {
  return {
    ...(operatorId === undefined ? {} : { actorOperatorId: operatorId }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}
