import { sql } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { OrderStatus } from './order.rules.ts'

// The state of an order when money for it arrives, goes to review or is returned. Watchers are notified at COMMIT.

export type LockedOrder = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

export async function lockOrder(tx: Tx, code: string) {
  const row = await tx
    .selectFrom('payment_order')
    .select([
      'id',
      'code',
      'user_id as userId',
      'channel',
      'status',
      'amount',
      'rate',
      'account_number as accountNumber',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'credited',
      // The request by which it was asked for at MoMo's gateway.
      sql<string | null>`(SELECT request_id FROM payment_checkout
        WHERE order_id = payment_order.id AND provider = 'momo')`.as('requestId'),
    ])
    .$narrowType<{ status: OrderStatus }>()
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { amount, ...order } = row
  const figures = { rate: parseCoins(row.rate), credited: parseCoins(row.credited) }
  return { ...order, ...figures, amountVnd: parseCoins(amount) }
}

export async function lockOrderById(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('payment_order').select('id').where('id', '=', id).forUpdate().execute()
}

export async function markOrderPaid(
  tx: Tx,
  { id, status, coins }: { id: string; status: Extract<OrderStatus, `paid${string}`>; coins: number },
): Promise<void> {
  await sql`
    WITH paid AS (
      UPDATE payment_order SET status = ${status}, credited = ${coins}, paid_at = clock_timestamp()
       WHERE id = ${id}
      RETURNING code)
    SELECT pg_notify('recharge_order', code) FROM paid`.execute(tx)
}

export async function markOrderInReview(tx: Tx, orderId: string): Promise<void> {
  await sql`
    WITH doubted AS (UPDATE payment_order SET status = 'review' WHERE id = ${orderId} RETURNING code)
    SELECT pg_notify('recharge_order', code) FROM doubted`.execute(tx)
}

/** Nothing is credited to the order any more. */
export async function reopenOrder(tx: Tx, orderId: string, status: 'review' | 'cancelled'): Promise<void> {
  await sql`
    WITH reopened AS (
      UPDATE payment_order SET status = ${status}, credited = 0, paid_at = NULL WHERE id = ${orderId}::bigint
      RETURNING code)
    SELECT pg_notify('recharge_order', code) FROM reopened`.execute(tx)
}

/** Closes an order that waited for a decision about money, when the decision was for something else. */
export async function releaseOrderInReview(tx: Tx, orderId: string): Promise<void> {
  await lockOrderById(tx, orderId)
  await sql`
    WITH released AS (
      UPDATE payment_order o SET status = 'cancelled'
       WHERE o.id = ${orderId}::bigint AND o.status = 'review' AND NOT EXISTS (
         SELECT FROM bank_transaction b WHERE b.order_id = o.id AND b.state IN ('review', 'credited'))
      RETURNING code)
    SELECT pg_notify('recharge_order', code) FROM released`.execute(tx)
}
