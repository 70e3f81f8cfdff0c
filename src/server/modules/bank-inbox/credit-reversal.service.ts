import { findNotifiedTrader, lockTrader } from '#server/modules/traders/index.ts'
import { queueMail } from '#server/modules/mail/index.ts'
import { lockOrderById, reopenOrder } from '#server/modules/recharge/index.ts'
import { takeBack } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/invariant.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import { takenBackLetter } from './credit-reversed.letters.ts'
import { markCreditTakenBack } from './credit-reversal.queries.ts'

export type TakingBackCredit = {
  /** Credited, and locked. */
  transfer: { id: string; userId: string; orderId: string | null; transferId: string; credited: number }
  /** What becomes of the transfer: an operator's mistake is decided anew, the bank's reversal is final. */
  becomes: { state: 'review' | 'refunded'; reason: string }
  /** The outgoing transfer by which the bank took the money back. */
  outgoingId: string | null
  operatorId: string
  requestId: string
}

/**
 * Undoes a credit by its mirror in the ledger; what the wallet does not hold any more is owed.
 * Whoever has a proved address reads of it. Answers the TCoin lent.
 */
export async function takeBackCredit(
  { vault, publicUrl }: Pick<BankInboxDeps, 'vault' | 'publicUrl'>,
  tx: Tx,
  taking: TakingBackCredit,
): Promise<{ lent: number }> {
  const { transfer, becomes, outgoingId, operatorId, requestId } = taking
  if (transfer.orderId !== null) await lockOrderById(tx, transfer.orderId)
  const player = await lockTrader(tx, transfer.userId)
  const { transferId, lent } = await takeBack(tx, {
    player,
    original: { transferId: transfer.transferId, amount: transfer.credited },
    actor: { actorOperatorId: operatorId, requestId },
  })
  await markCreditTakenBack(tx, {
    bankTransactionId: transfer.id,
    reversalId: transferId,
    outgoingId,
    lent,
    becomes,
  })
  if (transfer.orderId !== null) {
    await reopenOrder(tx, transfer.orderId, becomes.state === 'review' ? 'review' : 'cancelled')
  }
  const told = await findNotifiedTrader(tx, transfer.userId)
  invariant(told, 'whose credit is taken back exists')
  const { username, email, debt } = told
  if (email !== null) {
    const isByBank = outgoingId !== null
    const letter = { coins: transfer.credited, debt, isByBank, publicUrl }
    await queueMail(vault, tx, takenBackLetter({ username, email }, letter))
  }
  return { lent }
}
