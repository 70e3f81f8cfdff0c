import type { Trader } from '#server/modules/accounts/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PaidStatus } from './matching.rules.ts'
import { coinsFor } from './recharge-quote.rules.ts'
import { markBankTransactionCredited, markOrderPaid } from './settlement.queries.ts'

export type Crediting = {
  /** Locked, or waiting in no other lock: the event and the order come first. */
  bankTransactionId: string
  player: Pick<Trader, 'id' | 'walletId'>
  /** VND that arrived. */
  amount: number
  /** TCoin per VND. */
  rate: number
  /** The order it pays for; null when an operator credits a player directly. */
  order: { id: string; status: PaidStatus } | null
  operatorId?: string
  requestId: string | undefined
}

/** Turns money that arrived into TCoin, once: the ledger refuses a second credit of one bank transaction. Answers the TCoin. */
export async function creditTransfer(tx: Tx, crediting: Crediting): Promise<number> {
  const { player, amount, rate, order, bankTransactionId, operatorId, requestId } = crediting
  const coins = coinsFor(amount, rate)
  const { transferId } = await postTransfer(tx, {
    kind: 'recharge',
    debit: HOUSE.recharge,
    credit: player.walletId,
    amount: coins,
    source: { type: 'bank_transaction', id: bankTransactionId },
    ...(operatorId === undefined ? {} : { actorOperatorId: operatorId }),
    ...(requestId === undefined ? {} : { requestId }),
  })
  await markBankTransactionCredited(tx, { bankTransactionId, transferId, coins })
  if (order !== null) {
    await markOrderPaid(tx, { order: { id: order.id, userId: player.id }, status: order.status, coins })
  }
  return coins
}
