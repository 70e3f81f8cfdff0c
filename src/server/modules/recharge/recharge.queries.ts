import { type Insertable, sql, type InferResult, type RawBuilder } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import { notify } from '#server/domain/notices.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { type Tx, sendWithNext } from '#server/platform/db/transaction.ts'
import { channelName } from './channels.rules.ts'
import { ORDER_LIFETIME_MINUTES, type OrderStatus, type OrderWithoutQr } from './order.rules.ts'

const columns = [
  'code',
  'channel',
  'amount',
  'credited',
  'status',
  'qr',
  'account_number',
  'account_name',
  'created_at',
  'expires_at',
] as const

/** Due and not marked so yet: the clean-up runs every few seconds, but an expired QR is never shown. */
const isOverdue = sql<boolean>`(status = 'pending' AND expires_at <= statement_timestamp())`

const orders = (db: Db | Tx) =>
  db.selectFrom('payment_order').select(columns).select(isOverdue.as('is_overdue'))

type Row = Awaited<ReturnType<ReturnType<typeof orders>['executeTakeFirstOrThrow']>>

const toOrder = ({ is_overdue, created_at, expires_at, ...row }: Row): OrderWithoutQr => ({
  ...row,
  amount: parseCoins(row.amount),
  credited: parseCoins(row.credited),
  status: is_overdue ? 'expired' : (row.status as OrderStatus),
  bank_name: channelName(row.channel),
  memo: row.code,
  expires_at: expires_at.toISOString(),
  created_at: created_at.toISOString(),
})

/** Undefined when another order has the code. */
export async function insertOrder(
  tx: Tx,
  order: Omit<Insertable<DB['payment_order']>, 'expires_at'>,
): Promise<OrderWithoutQr | undefined> {
  const row = await tx
    .insertInto('payment_order')
    .values({
      ...order,
      expires_at: sql<Date>`now() + make_interval(mins => ${ORDER_LIFETIME_MINUTES})`,
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning(columns)
    .returning(isOverdue.as('is_overdue'))
    .executeTakeFirst()
  return row && toOrder(row)
}

/** How many orders of a player wait for money. Only to be trusted under the player's lock. */
export async function countOpenOrders(db: Db | Tx, userId: string): Promise<number> {
  const open = db
    .selectFrom('payment_order')
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`statement_timestamp()`)
  return countRows(open)
}

export type OrderOfPlayer = { code: string; userId: string }

export async function findOrder(db: Db | Tx, wanted: OrderOfPlayer): Promise<OrderWithoutQr | undefined> {
  const row = await orders(db)
    .where('code', '=', wanted.code)
    .where('user_id', '=', wanted.userId)
    .executeTakeFirst()
  return row && toOrder(row)
}

export async function countOrders(db: Db | Tx, userId: string): Promise<number> {
  return countRows(db.selectFrom('payment_order').where('user_id', '=', userId))
}

export async function listOrdersOf(
  db: Db | Tx,
  userId: string,
  page: { limit: number; offset: number },
): Promise<OrderWithoutQr[]> {
  // Found by their ids in the index alone: what is passed over is not read.
  const ids = db
    .selectFrom('payment_order')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
  const rows = await orders(db).where('id', 'in', ids).orderBy('id', 'desc').execute()
  return rows.map(toOrder)
}

/** False when the player has no such order that still waits for money. */
export async function markCancelled(tx: Tx, { code, userId }: OrderOfPlayer): Promise<boolean> {
  const cancelled = await changeOrders(
    tx,
    sql`UPDATE payment_order SET status = 'cancelled'
         WHERE code = ${code} AND user_id = ${userId} AND status = 'pending' AND expires_at > statement_timestamp()`,
  )
  return cancelled > 0
}

/** Marks up to `limit` expired orders and notifies their watchers; returns how many. */
export async function markExpired(tx: Tx, limit: number): Promise<number> {
  return changeOrders(
    tx,
    sql`
      WITH due AS MATERIALIZED (
        SELECT id FROM payment_order
         WHERE status = 'pending' AND expires_at <= statement_timestamp()
         ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      UPDATE payment_order SET status = 'expired' FROM due WHERE payment_order.id = due.id`,
  )
}

/** What the sandbox has to know to pay an order as a bank would. */
export async function findPayableOrder(
  db: Db,
  { code, userId }: { code: string; userId?: string | undefined },
) {
  const row = await db
    .selectFrom('payment_order')
    .select(['code', 'channel', 'amount', 'account_number as accountNumber'])
    .where('code', '=', code)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId as string))
    .executeTakeFirst()
  return row && { ...row, amount: parseCoins(row.amount) }
}

/** Orders that wait for their money. */
export async function countWaitingOrders(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('payment_order')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

// The state of an order when money for it arrives, goes to review or is returned.

/** Runs an UPDATE of `payment_order`; the watchers of each order it changed are notified. Returns how many. */
async function changeOrders(tx: Tx, update: RawBuilder<unknown>): Promise<number> {
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

/** Closes a locked order that waited for a decision about money, when the decision was for something else. */
export async function closeOrderInReview(tx: Tx, orderId: string): Promise<void> {
  await changeOrders(
    tx,
    sql`UPDATE payment_order SET status = 'cancelled' WHERE id = ${orderId} AND status = 'review'`,
  )
}
