import { sql } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrderOfPlayer } from './recharge.queries.ts'

/** The money that came for an order. */
export type OrderPayment = {
  /** VND. */
  amount: number
  bankRef: string | null
  arrivedAt: Date
  /** Null while a person looks at it. */
  creditedAt: Date | null
}

/** What came for an order: the transfer that was credited, or else the first that waits for a person. */
export async function findOrderPayment(
  db: Db,
  { code, userId }: OrderOfPlayer,
): Promise<OrderPayment | undefined> {
  const row = await db
    .selectFrom('payment_order as paid')
    .innerJoin('bank_transaction as payment', 'payment.order_id', 'paid.id')
    .select(['payment.amount', 'payment.bank_ref', 'payment.state', 'paid.paid_at'])
    .select(sql<Date>`coalesce(payment.booked_at, payment.created_at)`.as('arrived_at'))
    .where('paid.code', '=', code)
    .where('paid.user_id', '=', userId)
    .where('payment.state', 'in', ['credited', 'review'])
    // In the order of the letters, as it happens.
    .orderBy('payment.state')
    .orderBy('payment.id')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      amount: parseCoins(row.amount),
      bankRef: row.bank_ref,
      arrivedAt: row.arrived_at,
      creditedAt: row.state === 'credited' ? row.paid_at : null,
    }
  )
}
