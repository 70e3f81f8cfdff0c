import { sql } from 'kysely'
import type { Unmatched } from '#contract/operator/users.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isOwnEvent } from '../operator/inbox.queries.ts'

/** How many of a player's newest unpaid orders, and of the newest transfers in review, are compared. */
const ORDERS_MAX = 20
const TRANSFERS_MAX = 300

export type UnpaidOrder = { code: string; amount: number; account_number: string; created_at: Date }

/** The orders of a player that no money has come for, the newest first. */
export async function listUnpaidOrdersOf(db: Db, userId: string): Promise<UnpaidOrder[]> {
  const rows = await db
    .selectFrom('payment_order')
    .select(['code', 'amount', 'account_number', 'created_at'])
    .where('user_id', '=', userId)
    .where('credited', '=', '0')
    .orderBy('id', 'desc')
    .limit(ORDERS_MAX)
    .execute()
  return rows.map((row) => ({ ...row, amount: parseCoins(row.amount) }))
}

export type TransferInReview = Omit<Unmatched, 'why' | 'order'> & {
  user_id: string | null
  order_code: string | null
  /** What the providers say about it. */
  texts: string[]
}

type Raw = Omit<TransferInReview, 'amount' | 'booked_at' | 'created_at'> & {
  amount: string
  booked_at: Date | null
  created_at: Date
}

/**
 * Incoming transfers that wait for a decision and may concern a player: those kept for them, the newest of all, whose texts
 * are to be read, and those of the amount and account of an unpaid order within a day of it.
 */
export async function listTransfersInReview(
  db: Db,
  { userId, orders }: { userId: string; orders: readonly UnpaidOrder[] },
): Promise<TransferInReview[]> {
  const wanted = JSON.stringify(orders)
  const { rows } = await sql<Raw>`
    WITH wanted AS (
      SELECT * FROM json_to_recordset(${wanted}::json) AS o(amount bigint, account_number text, created_at timestamptz)),
    found AS (
      (SELECT b.id FROM bank_transaction b
        WHERE b.user_id = ${userId}::bigint AND b.state = 'review' AND b.direction = 'in'
        ORDER BY b.created_at DESC LIMIT ${ORDERS_MAX})
      UNION
      (SELECT b.id FROM bank_transaction b WHERE b.state = 'review' AND b.direction = 'in'
        ORDER BY b.created_at DESC, b.id DESC LIMIT ${TRANSFERS_MAX})
      UNION
      (SELECT b.id FROM wanted o CROSS JOIN LATERAL (
         SELECT near.id FROM bank_transaction near
          WHERE near.amount = o.amount AND near.state = 'review' AND near.account_number = o.account_number
            AND near.direction = 'in'
            AND near.created_at BETWEEN o.created_at AND o.created_at + interval '24 hours 30 minutes'
          ORDER BY near.created_at LIMIT ${ORDERS_MAX}) b))
    SELECT b.id AS bank_transfer_id, b.amount, b.account_number, b.bank_ref, b.booked_at, b.created_at, b.user_id,
           paid.code AS order_code, told.memo, coalesce(told.texts, '{}') AS texts
      FROM found JOIN bank_transaction b ON b.id = found.id
      LEFT JOIN payment_order paid ON paid.id = b.order_id
      LEFT JOIN LATERAL (
        SELECT min(body.memo) AS memo, array_agg(concat_ws(' ', body.code, body.memo, body.full_text)) AS texts
          FROM (SELECT e.id FROM payment_event e
                 WHERE e.bank_transaction_id = b.id AND ${isOwnEvent('e')} ORDER BY e.id LIMIT 5) e
          JOIN payment_event_body body ON body.event_id = e.id) told ON true
     ORDER BY b.created_at DESC, b.id DESC`.execute(db)
  return rows.map((row) => ({
    ...row,
    amount: parseCoins(row.amount),
    booked_at: row.booked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }))
}
