import { sql } from 'kysely'
import type { RechargeOrder } from '#contract/recharge.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { maskReference } from './receipts.rules.ts'
import type { OrderOfPlayer } from './recharge.queries.ts'

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
