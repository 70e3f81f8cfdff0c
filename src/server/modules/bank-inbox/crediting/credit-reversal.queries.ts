import type { Insertable } from 'kysely'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { updateTransfer } from '../operator/acts.queries.ts'

/** Stores the reversal and the new state of the transfer and its payment events. */
export async function markCreditReversed(
  tx: Tx,
  reversal: Insertable<DB['credit_reversal']> & { bank_transaction_id: string },
  { state, reason }: { state: 'review' | 'refunded'; reason: string },
): Promise<void> {
  const transferId = reversal.bank_transaction_id
  await tx.insertInto('credit_reversal').values(reversal).execute()
  await updateTransfer(tx, transferId, { state, reason, credited: 0, transfer_id: null })
  await tx
    .updateTable('payment_event')
    .set({ status: state === 'review' ? 'review' : 'ignored', reason })
    .where('bank_transaction_id', '=', transferId)
    .where('status', '=', 'applied')
    .execute()
}
