import { type Insertable, sql, type InferResult, type RawBuilder } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import { conditionOf } from '#contract/promotion-rules.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { describePurchase, isPurchaseWaiting, purchaseOf } from '#server/modules/order-purchases/index.ts'
import { listDueOf } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { type Tx, sendWithNext } from '#server/platform/db/transaction.ts'
import { inPages } from '#server/domain/personal-part.ts'
import { bankNameOf } from './channels.rules.ts'
import { ORDER_LIFETIME_MINUTES, type OrderStatus, type OrderWithoutQr } from './order.rules.ts'

const columns = [
  'code',
  'channel',
  'amount',
  'credited',
  'status',
  'qr',
  'bank_bin',
  'account_number',
  'account_name',
  'created_at',
  'expires_at',
] as const

/** Due and not marked so yet: the clean-up runs every few seconds, but an expired QR is never shown. */
const isOverdue = sql<boolean>`(status = 'pending' AND expires_at <= statement_timestamp())`

type BonusRow = { title: string; amount: number; state: 'held' | 'conditional' | 'granted'; isFirst: boolean }

/** What is promised or given besides the TCoin of the recharge; of an order that has ended as long as money in time may be late. */
const bonus = sql<BonusRow | null>`(
  SELECT json_build_object('title', p.title, 'state', b.state, 'isFirst', b.is_first_recharge,
      'amount', CASE b.state WHEN 'granted' THEN b.granted WHEN 'held' THEN least(b.promised, b.held) ELSE b.promised END)
    FROM order_bonus b JOIN promotion p ON p.id = b.promotion_id
   WHERE b.order_id = payment_order.id AND b.state <> 'released'
     AND (b.state = 'granted' OR payment_order.status IN ('pending', 'review')
          OR payment_order.expires_at > statement_timestamp() - interval '2 hours'))`

const toBonus = ({ title, amount, state, isFirst }: BonusRow): RechargeOrder['bonus'] => ({
  title,
  amount,
  is_given: state === 'granted',
  condition: state === 'conditional' ? conditionOf({ isFirst }) : null,
})

const orders = (db: Db | Tx) =>
  db
    .selectFrom('payment_order')
    .select(columns)
    .select([
      isOverdue.as('is_overdue'),
      bonus.as('bonus'),
      purchaseOf(sql.ref('payment_order.id')).as('purchase'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof orders>['executeTakeFirstOrThrow']>>

const toOrder = ({
  is_overdue,
  bank_bin: bin,
  created_at,
  expires_at,
  purchase,
  bonus: promised,
  ...row
}: Row): OrderWithoutQr => ({
  ...row,
  bonus: promised && toBonus(promised),
  purchase: describePurchase(purchase),
  amount: parseCoins(row.amount),
  credited: parseCoins(row.credited),
  status: is_overdue ? 'expired' : (row.status as OrderStatus),
  bank_name: bankNameOf({ channel: row.channel, bin }),
  memo: row.code,
  expires_at: expires_at.toISOString(),
  created_at: created_at.toISOString(),
})

/** Undefined when another order has the code. Nothing is promised to it yet, and it buys nothing. */
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
  return row && toOrder({ ...row, bonus: null, purchase: null })
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

export async function findOrder(db: Db | Tx, key: OrderOfPlayer): Promise<OrderWithoutQr | undefined> {
  const row = await orders(db)
    .where('code', '=', key.code)
    .where('user_id', '=', key.userId)
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

/** The orders' codes that a change returns. */
async function changedCodes(tx: Tx, update: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`${update} RETURNING payment_order.code`.execute(tx)
  return rows.map(({ code }) => code)
}

/** Only an order of the player that still waits for money. */
export async function updateCancelled(tx: Tx, { code, userId }: OrderOfPlayer): Promise<string[]> {
  return changedCodes(
    tx,
    sql`UPDATE payment_order SET status = 'cancelled'
         WHERE code = ${code} AND user_id = ${userId} AND status = 'pending' AND expires_at > statement_timestamp()`,
  )
}

/** Orders whose time has run out, the oldest first. */
export const listExpired = listDueOf({
  id: 'payment_order.id',
  from: sql`payment_order`,
  isDue: isOverdue,
  order: sql`expires_at`,
})

export async function updateExpired(tx: Tx, ids: readonly string[]): Promise<string[]> {
  return changedCodes(
    tx,
    sql`
      WITH due AS MATERIALIZED (
        SELECT id FROM payment_order
         WHERE id = ANY (${ids}::bigint[]) AND status = 'pending' AND expires_at <= statement_timestamp()
         ORDER BY expires_at FOR UPDATE SKIP LOCKED)
      UPDATE payment_order SET status = 'expired' FROM due WHERE payment_order.id = due.id`,
  )
}

/** Cancels an order that is in the given status. */
export async function updateCancelledFrom(
  tx: Tx,
  orderId: string,
  status: 'pending' | 'review',
): Promise<string[]> {
  return changedCodes(
    tx,
    sql`UPDATE payment_order SET status = 'cancelled' WHERE id = ${orderId} AND status = ${status}`,
  )
}

export async function updateInReview(tx: Tx, orderId: string): Promise<string[]> {
  return changedCodes(tx, sql`UPDATE payment_order SET status = 'review' WHERE id = ${orderId}`)
}

/** Nothing is credited to the order any more. */
export async function updateReopened(
  tx: Tx,
  orderId: string,
  status: 'review' | 'cancelled',
): Promise<string[]> {
  return changedCodes(
    tx,
    sql`UPDATE payment_order SET status = ${status}, credited = 0, paid_at = NULL WHERE id = ${orderId}`,
  )
}

type Paid = { id: string; status: Extract<OrderStatus, `paid${string}`>; coins: number }

/** Sent together with the next statement. */
export async function updatePaidWithNext(tx: Tx, { id, status, coins }: Paid): Promise<void> {
  const update = sql`
    UPDATE payment_order SET status = ${status}, credited = ${coins}, paid_at = clock_timestamp() WHERE id = ${id}`
  await sendWithNext(tx, update.compile(tx))
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

export async function countOrdersIn(db: Db, status: OrderStatus): Promise<number> {
  return countRows(db.selectFrom('payment_order').where('status', '=', status))
}

/** Whose order it is, for a statement about them; who placed an order never changes. */
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
      // The request by which it was made at MoMo's gateway.
      sql<string | null>`(SELECT request_id FROM payment_checkout
        WHERE order_id = payment_order.id AND provider = 'momo')`.as('requestId'),
      sql<boolean>`EXISTS (SELECT FROM order_bonus WHERE order_id = payment_order.id)`.as('hasBonus'),
      isPurchaseWaiting(sql.ref('payment_order.id')).as('buys'),
    ])
    .$narrowType<{ status: OrderStatus }>()
    .where('code', '=', code)
    .forUpdate()

export type LockedRow = InferResult<ReturnType<typeof ordersToLock>>[number]

export async function lockOrderRow(tx: Tx, code: string): Promise<LockedRow | undefined> {
  return ordersToLock(tx, code).executeTakeFirst()
}

/** The rows are there with the result of the next statement; read earlier they throw. */
export async function lockOrderRowWithNext(tx: Tx, code: string): Promise<() => readonly LockedRow[]> {
  return sendWithNext(tx, ordersToLock(tx, code).compile())
}

export async function lockOrderRowById(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('payment_order').select('id').where('id', '=', id).forUpdate().execute()
}

export const ordersOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT id::text AS cursor, code, channel, amount, rate, status, credited, created_at, expires_at, paid_at
      FROM payment_order
     WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0) ORDER BY id LIMIT ${limit}`,
)

/** That there were notes, without the operators' texts. */
export const orderNotesOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT note.id::text AS cursor, placed.code, note.created_at
      FROM order_note note JOIN payment_order placed ON placed.id = note.order_id
     WHERE note.user_id = ${id}::bigint AND note.id > coalesce(${after}::bigint, 0)
     ORDER BY note.id LIMIT ${limit}`,
)

export async function deleteOrderNotes(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('order_note').where('user_id', '=', userId).execute()
}

/** Locks what may still be paid: money for it is decided about before the erasure, or after it and then by a person. */
export async function lockUncredited(tx: Tx, userId: string): Promise<{ isOpen: boolean }[]> {
  const { rows } = await sql<{ isOpen: boolean }>`
    SELECT status IN ('pending', 'review') AS "isOpen" FROM payment_order
     WHERE user_id = ${userId}::bigint AND credited = 0 ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  return rows
}

export async function selectCodes(db: Db, codes: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('payment_order').select('code').where('code', 'in', codes).execute()
  return rows.map(({ code }) => code)
}
