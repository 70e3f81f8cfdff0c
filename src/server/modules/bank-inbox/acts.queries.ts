import { sql } from 'kysely'
import type { TransferState } from '#contract/operator/bank-transfers.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type LockedTransfer = NonNullable<Awaited<ReturnType<typeof lockTransfer>>>

/** Makes operators take turns on one transfer. */
export async function lockTransfer(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('bank_transaction')
    .select(['id', 'account_number as accountNumber', 'direction', 'amount', 'bank_ref as bankRef'])
    .select(['state', 'reason', 'order_id as orderId', 'user_id as userId', 'credited'])
    .select(['transfer_id as transferId', 'reversal_of as reversalOf'])
    .select(
      sql<string | null>`(SELECT code FROM payment_order WHERE id = bank_transaction.order_id)`.as(
        'orderCode',
      ),
    )
    .$narrowType<{ direction: 'in' | 'out'; state: TransferState }>()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { ...row, amount: parseCoins(row.amount), credited: parseCoins(row.credited) }
}

/** How often a credit of a transfer was reversed. Only to be trusted under its lock. */
export async function countReversals(tx: Tx, transferId: string): Promise<number> {
  const row = await tx
    .selectFrom('credit_reversal')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('bank_transaction_id', '=', transferId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Whose money it is, before it is credited. */
export async function assignTransfer(
  tx: Tx,
  { id, orderId, userId }: { id: string; orderId: string | null; userId: string },
): Promise<void> {
  await tx
    .updateTable('bank_transaction')
    .set({ order_id: orderId, user_id: userId })
    .where('id', '=', id)
    .execute()
}

export async function markTransfer(
  tx: Tx,
  id: string,
  { state, reason }: { state: 'refunded' | 'ignored'; reason: string },
): Promise<void> {
  await tx.updateTable('bank_transaction').set({ state, reason }).where('id', '=', id).execute()
}

export async function markReversal(
  tx: Tx,
  { outgoingId, originalId }: { outgoingId: string; originalId: string },
): Promise<void> {
  await tx
    .updateTable('bank_transaction')
    .set({ reversal_of: originalId, reason: 'bank-reversal' })
    .where('id', '=', outgoingId)
    .execute()
}

export async function isReversed(tx: Tx, originalId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('bank_transaction')
    .select('id')
    .where('reversal_of', '=', originalId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The payment events of a transfer get its state. One that contradicts it, by another amount, stays for
 * an operator to look at.
 */
export async function markEventsOf(
  tx: Tx,
  transferId: string,
  { status, reason }: { status: 'applied' | 'ignored'; reason: string | null },
): Promise<void> {
  await tx
    .updateTable('payment_event')
    .set({ status, reason })
    .where('bank_transaction_id', '=', transferId)
    .where('status', 'in', ['review', 'ignored'])
    .where((where) => where.or([where('reason', 'is', null), where('reason', '<>', 'reference-conflict')]))
    .execute()
}

/** At COMMIT the player's open pages read their balance anew. */
export async function notifyWallet(tx: Tx, userId: string): Promise<void> {
  await sql`SELECT pg_notify('wallet_changed', ${userId})`.execute(tx)
}

export type Act = {
  transferId: string
  act: string
  operatorId: string
  reason: string
  details: Record<string, unknown>
}

export async function insertAct(
  tx: Tx,
  { transferId, act, operatorId, reason, details }: Act,
): Promise<void> {
  await tx
    .insertInto('bank_transfer_act')
    .values({
      bank_transaction_id: transferId,
      act,
      operator_id: operatorId,
      reason,
      details: JSON.stringify(details),
    })
    .execute()
}
