import { sql, type InferResult, type RawBuilder } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import { notify } from '#server/domain/notices.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import type { OrderStatus } from './order.rules.ts'

// The state of an order when money for it arrives, goes to review or is returned.

/** Runs an UPDATE of `payment_order`; the watchers of each order it changed are notified. Returns how many. */
export async function changeOrders(tx: Tx, update: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ code: string }>`${update} RETURNING payment_order.code`.execute(tx)
  for (const { code } of rows) notify(tx, 'recharge_order', code)
  return rows.length
}

export type LockedOrder = ReturnType<typeof toLockedOrder>

export async function lockOrder(tx: Tx, code: string): Promise<LockedOrder | undefined> {
  const row = await ordersToLock(tx, code).executeTakeFirst()
  return row && toLockedOrder(row)
}

/** The order is there with the result of the next statement; read earlier it throws. */
export async function lockOrderWithNext(tx: Tx, code: string): Promise<() => LockedOrder | undefined> {
  const rows = await sendWithNext(tx, ordersToLock(tx, code).compile())
  return () => {
    const [order] = rows()
    return order && toLockedOrder(order)
  }
}

/** Whose order it is, for a statement that asks about them; who placed an order never changes. */
export const payerOf = (code: string): RawBuilder<string> =>
  sql`(SELECT payment_order.user_id FROM payment_order WHERE payment_order.code = ${code})`

const ordersToLock = (tx: Tx, code: string) =>
  tx
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

function toLockedOrder(row: InferResult<ReturnType<typeof ordersToLock>>[number]) {
  const { amount, ...order } = row
  const figures = { rate: parseCoins(row.rate), credited: parseCoins(row.credited) }
  return { ...order, ...figures, amountVnd: parseCoins(amount) }
}

export async function lockOrderById(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('payment_order').select('id').where('id', '=', id).forUpdate().execute()
}

/** Of a locked order. */
export async function markOrderPaid(
  tx: Tx,
  paid: { id: string; code: string; status: Extract<OrderStatus, `paid${string}`>; coins: number },
): Promise<void> {
  const { id, code, status, coins } = paid
  const update = sql`
    UPDATE payment_order SET status = ${status}, credited = ${coins}, paid_at = clock_timestamp() WHERE id = ${id}`
  await sendWithNext(tx, update.compile(tx))
  notify(tx, 'recharge_order', code)
}

export async function markOrderInReview(tx: Tx, orderId: string): Promise<void> {
  await changeOrders(tx, sql`UPDATE payment_order SET status = 'review' WHERE id = ${orderId}`)
}

/** Closes a pending order that cannot be paid. */
export async function closeUnpayableOrder(tx: Tx, orderId: string): Promise<void> {
  await changeOrders(
    tx,
    sql`UPDATE payment_order SET status = 'cancelled' WHERE id = ${orderId} AND status = 'pending'`,
  )
}

/** Nothing is credited to the order any more. */
export async function reopenOrder(tx: Tx, orderId: string, status: 'review' | 'cancelled'): Promise<void> {
  await changeOrders(
    tx,
    sql`UPDATE payment_order SET status = ${status}, credited = 0, paid_at = NULL WHERE id = ${orderId}`,
  )
}

/** Closes an order that waited for a decision about money, when the decision was for something else. */
export async function releaseOrderInReview(tx: Tx, orderId: string): Promise<void> {
  await lockOrderById(tx, orderId)
  await changeOrders(
    tx,
    sql`UPDATE payment_order SET status = 'cancelled'
         WHERE id = ${orderId} AND status = 'review' AND NOT EXISTS (
           SELECT FROM bank_transaction b WHERE b.order_id = payment_order.id AND b.state IN ('review', 'credited'))`,
  )
}
