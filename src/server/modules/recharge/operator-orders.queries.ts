import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorNote } from '#contract/operator/fields.ts'
import type {
  OperatorOrder,
  OperatorOrderDetail,
  operatorRechargeOrders,
} from '#contract/operator/recharge.ts'
import { describePurchase, purchaseOf } from '#server/modules/order-purchases/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { noteColumns, toOperatorNote } from '#server/domain/operator-notes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import type { OrderStatus } from './order.rules.ts'

/** The filter of the list's query. `id` and `code` are both an order's code, by which operators know it. */
export type GivenFilter = NonNullable<QueryOf<typeof operatorRechargeOrders.list>['filter']>

export type OrderFilter = Omit<GivenFilter, 'user'> & { userId?: string | undefined }

/** An order with the player's name. */
const named = (db: Db) =>
  db
    .selectFrom('payment_order as placed')
    .innerJoin('users', 'users.id', 'placed.user_id')
    .select([
      'placed.code',
      'placed.user_id',
      'users.username',
      'placed.channel',
      'placed.amount',
      'placed.rate',
      'placed.credited',
      'placed.status',
      'placed.account_number',
      'placed.created_at',
      'placed.expires_at',
      'placed.paid_at',
      // The clean-up runs every few seconds; what has run out is shown so at once, as players see it.
      sql<boolean>`(placed.status = 'pending' AND placed.expires_at <= statement_timestamp())`.as(
        'is_overdue',
      ),
    ])
    .$narrowType<{ status: OrderStatus }>()

type Row = Awaited<ReturnType<ReturnType<typeof named>['executeTakeFirstOrThrow']>>

const toOperatorOrder = ({ user_id, username, is_overdue, ...row }: Row): OperatorOrder => ({
  ...row,
  id: row.code,
  user: { id: user_id, username },
  amount: parseCoins(row.amount),
  rate: parseCoins(row.rate),
  credited: parseCoins(row.credited),
  status: is_overdue ? 'expired' : row.status,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  paid_at: row.paid_at?.toISOString() ?? null,
})

const matching = (db: Db, { id, status, channel, userId, code, amount, promotion_id }: OrderFilter) =>
  db
    .selectFrom('payment_order as placed')
    .$if(id !== undefined, (query) => query.where('placed.code', 'in', id as string[]))
    .$if(status !== undefined, (query) => query.where('placed.status', '=', status as string))
    .$if(channel !== undefined, (query) => query.where('placed.channel', '=', channel as number))
    .$if(userId !== undefined, (query) => query.where('placed.user_id', '=', userId as string))
    .$if(code !== undefined, (query) => query.where('placed.code', '=', code as string))
    .$if(amount !== undefined, (query) => query.where('placed.amount', '=', String(amount)))
    .$if(promotion_id !== undefined, (query) =>
      query.where('placed.id', 'in', (bonuses) =>
        bonuses
          .selectFrom('order_bonus')
          .select('order_id')
          .where('promotion_id', '=', promotion_id as string),
      ),
    )

export async function listStoredOrders(
  db: Db,
  filter: OrderFilter,
  { order, from, to, after }: ListPage,
): Promise<OperatorOrder[]> {
  // Found by their ids, mostly in an index alone: what is passed over is not read.
  const page = matching(db, filter)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`placed.id ${beyond(order)} (SELECT id FROM payment_order WHERE code = ${after})`,
      ),
    )
    .select('placed.id')
    .orderBy('placed.id', order)
    .offset(from)
    .limit(to - from + 1)
  const rows = await named(db).where('placed.id', 'in', page).orderBy('placed.id', order).execute()
  return rows.map(toOperatorOrder)
}

export async function countStoredOrders(db: Db, filter: OrderFilter): Promise<number> {
  return countWithinReach(db, matching(db, filter))
}

export async function findStoredOrderId(db: Db, code: string): Promise<string | undefined> {
  const row = await db.selectFrom('payment_order').select('id').where('code', '=', code).executeTakeFirst()
  return row?.id
}

export async function findStoredOrder(db: Db, code: string): Promise<OperatorOrderDetail | undefined> {
  const row = await named(db)
    .select(purchaseOf(sql.ref('placed.id')).as('purchase'))
    .where('placed.code', '=', code)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { purchase, ...order } = row
  const checkout = await db
    .selectFrom('payment_checkout as checkout')
    .innerJoin('payment_order as placed', 'placed.id', 'checkout.order_id')
    .select(['checkout.provider', 'checkout.state', 'checkout.last_query_at'])
    .$narrowType<Pick<NonNullable<OperatorOrderDetail['checkout']>, 'state'>>()
    .where('placed.code', '=', code)
    .executeTakeFirst()
  return {
    ...toOperatorOrder(order),
    purchase: describePurchase(purchase),
    checkout: checkout ? { ...checkout, last_query_at: checkout.last_query_at?.toISOString() ?? null } : null,
  }
}

const notes = (db: Db) =>
  db
    .selectFrom('order_note as note')
    .innerJoin('users as author', 'author.id', 'note.author_id')
    .select(noteColumns)

export async function selectOrderNotes(
  db: Db,
  { orderId, before, limit }: { orderId: string; before: string | undefined; limit: number },
): Promise<OperatorNote[]> {
  const rows = await notes(db)
    .where('note.order_id', '=', orderId)
    .$if(before !== undefined, (query) => query.where('note.id', '<', before as string))
    .orderBy('note.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toOperatorNote)
}

/** The new note's id; undefined when there is no such order. */
export async function insertOrderNote(
  tx: Tx,
  { code, authorId, text }: { code: string; authorId: string; text: string },
): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('order_note')
    .columns(['order_id', 'user_id', 'author_id', 'text'])
    .expression((from) =>
      from
        .selectFrom('payment_order')
        .select([
          'id',
          'user_id',
          sql<string>`${authorId}::bigint`.as('author_id'),
          sql<string>`${text}::text`.as('text'),
        ])
        .where('code', '=', code),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}
