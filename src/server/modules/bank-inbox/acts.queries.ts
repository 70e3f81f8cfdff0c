import { sql } from 'kysely'
import type { TransferState } from '#contract/operator/bank-transfers.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type LockedTransfer = {
  id: string
  accountNumber: string
  direction: 'in' | 'out'
  amount: number
  bankRef: string | null
  state: TransferState
  reason: string | null
  orderId: string | null
  orderCode: string | null
  userId: string | null
  credited: number
  transferId: string | null
  reversalOf: string | null
}

/** Makes operators take turns on one transfer. */
export async function lockTransfer(tx: Tx, id: string): Promise<LockedTransfer | undefined> {
  const row = await tx
    .selectFrom('bank_transaction')
    .selectAll()
    .select(
      sql<string | null>`(SELECT code FROM payment_order WHERE id = bank_transaction.order_id)`.as(
        'order_code',
      ),
    )
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      accountNumber: row.account_number,
      direction: row.direction as 'in' | 'out',
      amount: parseCoins(row.amount),
      bankRef: row.bank_ref,
      state: row.state as TransferState,
      reason: row.reason,
      orderId: row.order_id,
      orderCode: row.order_code,
      userId: row.user_id,
      credited: parseCoins(row.credited),
      transferId: row.transfer_id,
      reversalOf: row.reversal_of,
    }
  )
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
 * The notifications that told of a transfer go where it went. One that contradicts it, by another amount, stays for
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
