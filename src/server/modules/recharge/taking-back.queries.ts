import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/transaction.ts'

export async function lockOrderById(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('payment_order').select('id').where('id', '=', id).forUpdate().execute()
}

type CreditTakenBack = {
  bankTransactionId: string
  reversalId: string
  outgoingId: string | null
  lent: number
  becomes: { state: 'review' | 'refunded'; reason: string }
}

/** Writes the reversal down, and what has become of the transfer and of the notifications that told of it. */
export async function markCreditTakenBack(tx: Tx, taken: CreditTakenBack): Promise<void> {
  const { bankTransactionId, reversalId, outgoingId, lent, becomes } = taken
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

/** Nothing is credited to the order any more. Tells its watchers and its player's pages. */
export async function reopenOrder(tx: Tx, orderId: string, status: 'review' | 'cancelled'): Promise<void> {
  await sql`
    WITH reopened AS (
      UPDATE payment_order SET status = ${status}, credited = 0, paid_at = NULL WHERE id = ${orderId}::bigint
      RETURNING code)
    SELECT pg_notify('recharge_order', code) FROM reopened`.execute(tx)
}

export async function releaseOrder(tx: Tx, orderId: string): Promise<void> {
  await sql`
    WITH released AS (
      UPDATE payment_order o SET status = 'cancelled'
       WHERE o.id = ${orderId}::bigint AND o.status = 'review' AND NOT EXISTS (
         SELECT FROM bank_transaction b WHERE b.order_id = o.id AND b.state IN ('review', 'credited'))
      RETURNING code)
    SELECT pg_notify('recharge_order', code) FROM released`.execute(tx)
}
