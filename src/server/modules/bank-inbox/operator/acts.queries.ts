import { sql, type Insertable, type Updateable } from 'kysely'
import type { TransferState } from '#contract/operator/bank-transfers.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { countRows, hasRows } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { notify } from '#server/domain/notices.ts'
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
  return countRows(tx.selectFrom('credit_reversal').where('bank_transaction_id', '=', transferId))
}

export async function updateTransfer(
  tx: Tx,
  id: string,
  changes: Updateable<DB['bank_transaction']>,
): Promise<void> {
  await tx.updateTable('bank_transaction').set(changes).where('id', '=', id).execute()
  if (changes.state === 'review') notify(tx, 'operator_event', 'bank-transfers')
}

export async function isReversed(tx: Tx, originalId: string): Promise<boolean> {
  return hasRows(tx.selectFrom('bank_transaction').where('reversal_of', '=', originalId))
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

type Act = Omit<Insertable<DB['bank_transfer_act']>, 'details'> & { details: Record<string, unknown> }

export async function insertAct(tx: Tx, { details, ...act }: Act): Promise<void> {
  await tx
    .insertInto('bank_transfer_act')
    .values({ ...act, details: JSON.stringify(details) })
    .execute()
}
