import type { Tx } from '#server/platform/db/transaction.ts'

type ReversedCredit = {
  bankTransactionId: string
  reversalId: string
  outgoingId: string | null
  lent: number
  becomes: { state: 'review' | 'refunded'; reason: string }
}

/** Stores the reversal and the new state of the transfer and its payment events. */
export async function markCreditReversed(tx: Tx, reversed: ReversedCredit): Promise<void> {
  const { bankTransactionId, reversalId, outgoingId, lent, becomes } = reversed
  await tx
    .insertInto('credit_reversal')
    .values({
      transfer_id: reversalId,
      bank_transaction_id: bankTransactionId,
      outgoing_id: outgoingId,
      lent,
    })
    .execute()
  await tx
    .updateTable('bank_transaction')
    .set({ state: becomes.state, reason: becomes.reason, credited: 0, transfer_id: null })
    .where('id', '=', bankTransactionId)
    .execute()
  await tx
    .updateTable('payment_event')
    .set({ status: becomes.state === 'review' ? 'review' : 'ignored', reason: becomes.reason })
    .where('bank_transaction_id', '=', bankTransactionId)
    .where('status', '=', 'applied')
    .execute()
}
