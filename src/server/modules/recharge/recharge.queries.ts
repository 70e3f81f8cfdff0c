import { type Insertable, sql } from 'kysely'
import type { RechargeOrder } from '#contract/recharge.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { channelName } from './channels.rules.ts'
import { changeOrders } from './order-payment.queries.ts'
import { ORDER_LIFETIME_MINUTES, type OrderStatus, type UndrawnOrder } from './order.rules.ts'
import { maskReference } from './receipts.rules.ts'

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

const toOrder = ({ is_overdue, created_at, expires_at, ...row }: Row): UndrawnOrder => ({
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
): Promise<UndrawnOrder | undefined> {
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

export async function findOrder(db: Db | Tx, wanted: OrderOfPlayer): Promise<UndrawnOrder | undefined> {
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
): Promise<UndrawnOrder[]> {
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

/** What came for an order: the transfer that was credited, or else the first that waits for a person. */
export async function findOrderPayment(
  db: Db,
  { code, userId }: OrderOfPlayer,
): Promise<RechargeOrder['payment']> {
  const row = await db
    .selectFrom('payment_order as paid')
    .innerJoin('bank_transaction as payment', 'payment.order_id', 'paid.id')
    .select(['payment.amount', 'payment.bank_ref', 'payment.state', 'paid.paid_at'])
    .select(sql<Date>`coalesce(payment.booked_at, payment.created_at)`.as('arrived_at'))
    .where('paid.code', '=', code)
    .where('paid.user_id', '=', userId)
    .where('payment.state', 'in', ['credited', 'review'])
    // Alphabetically, `credited` comes before `review`.
    .orderBy('payment.state')
    .orderBy('payment.id')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      amount: parseCoins(row.amount),
      bank_reference: row.bank_ref === null ? null : maskReference(row.bank_ref),
      arrived_at: row.arrived_at.toISOString(),
      // Null while a person looks at it.
      credited_at: row.state === 'credited' ? (row.paid_at?.toISOString() ?? null) : null,
    }
  )
}
