import { sql } from 'kysely'
import { inPages, type Person } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hasRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { memoOfTransfer } from './operator/bank-transfers.queries.ts'

// What other modules read about bank transfers, and what the export and erasure of a person need of them.

export async function selectOrderPayment(db: Db, { code, userId }: { code: string; userId: string }) {
  return (
    db
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
  )
}

/** The median of the seconds from the bank's booking, or its notice without one, to the wallet, and of how many payments. */
export async function selectUsualSeconds(
  db: Db,
  { paymentsMax, days }: { paymentsMax: number; days: number },
) {
  const last = db
    .selectFrom('payment_order')
    .select(['id', 'paid_at'])
    .where('status', '=', 'paid')
    .orderBy('id', 'desc')
    .limit(paymentsMax)
  return db
    .selectFrom(last.as('paid'))
    .innerJoin('bank_transaction as payment', 'payment.order_id', 'paid.id')
    .where('payment.state', '=', 'credited')
    .where('paid.paid_at', '>', sql<Date>`now() - make_interval(days => ${days})`)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .select(
      sql<string | null>`percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest(0,
        extract(epoch FROM paid.paid_at - coalesce(payment.booked_at, payment.created_at))))`.as('seconds'),
    )
    .executeTakeFirstOrThrow()
}

/** Whether money for a locked order is credited, or waits for a decision. */
export async function hasMoneyFor(tx: Tx, orderId: string): Promise<boolean> {
  const transfers = tx.selectFrom('bank_transaction').where('order_id', '=', orderId)
  return hasRows(transfers.where('state', 'in', ['review', 'credited']))
}

/** The code of the order that a ledger transfer was paid for, as a value of another statement. */
export const orderCodeOf = (ledgerTransferId: string) => sql<string | null>`(
  SELECT paid.code FROM bank_transaction AS payment JOIN payment_order AS paid ON paid.id = payment.order_id
   WHERE payment.transfer_id = ${sql.ref(ledgerTransferId)})`

type DayBounds = { since: Date; until: Date }

/** The day's transfers, each with its payment event, order and credit. */
export const transfersOfDay = ({ since, until }: DayBounds) => sql`transfer AS MATERIALIZED (
      SELECT b.id, b.account_number, b.direction, b.amount, b.bank_ref, b.state, b.reason, b.credited, b.order_id,
             report.is_reported IS TRUE AS is_reported,
             o.code, l.amount AS posted,
             -- Without an order the rate was that of the day: what it brought has to be a multiple of what arrived.
             CASE WHEN b.state = 'credited' THEN
               CASE WHEN b.order_id IS NOT NULL THEN b.amount * o.rate WHEN b.credited % b.amount = 0 THEN b.credited
                    ELSE b.amount END END AS due,
             o.credited = (SELECT sum(s.credited) FROM bank_transaction s
                            WHERE s.order_id = o.id AND s.state = 'credited') AS is_order_right
        FROM bank_transaction b
        -- One index lookup for each row: with plain joins PostgreSQL would read all events, orders and credits ever
        -- stored for a busy day.
        LEFT JOIN LATERAL (SELECT true AS is_reported FROM payment_event e
                            WHERE e.bank_transaction_id = b.id AND e.amount = b.amount AND e.direction = b.direction
                              AND e.status <> 'stale' LIMIT 1) report ON true
        LEFT JOIN LATERAL (SELECT id, code, rate, credited FROM payment_order
                            WHERE id = b.order_id LIMIT 1) o ON true
        LEFT JOIN LATERAL (SELECT amount FROM ledger_transfer
                            WHERE id = b.transfer_id AND kind = 'recharge' AND source_type = 'bank_transaction'
                              AND split_part(source_id, ':', 1) = b.id::text LIMIT 1) l ON true
       WHERE coalesce(b.booked_at, b.created_at) >= ${since} AND coalesce(b.booked_at, b.created_at) < ${until})`

/** Events of the day that nothing has been decided about, or that contradict what was. */
export const openEventsOfDay = ({ since, until }: DayBounds) => sql`open_event AS (
      SELECT e.id, e.account_number, e.direction, e.amount, e.bank_transaction_id
        FROM payment_event e
       WHERE coalesce(e.booked_at, e.received_at) >= ${since} AND coalesce(e.booked_at, e.received_at) < ${until}
         AND (e.status = 'new' OR (e.status = 'review'
                AND (e.bank_transaction_id IS NULL OR e.reason = 'reference-conflict'))
              -- A notification that came too late is settled once the same one has come in time or was requested.
              OR (e.status = 'stale' AND NOT EXISTS (
                    SELECT FROM payment_event fresh
                     WHERE fresh.provider = e.provider
                       AND fresh.provider_event_id = regexp_replace(e.provider_event_id, '#stale$', '')
                       AND fresh.status <> 'stale'))))`

/** Transfers that were credited to a person, and those by which the bank took them back. */
const transfersOf = (id: string) => sql`
  SELECT id FROM bank_transaction WHERE user_id = ${id}::bigint
  UNION
  SELECT back.id FROM bank_transaction back JOIN bank_transaction b ON b.id = back.reversal_of
   WHERE b.user_id = ${id}::bigint`

export const transfersOfPerson = inPages(({ id }, { after, limit }) => {
  const [since = null, last = null] = after?.split('|') ?? []
  return sql`
    SELECT b.created_at::text || '|' || b.id AS cursor, b.account_number, b.direction, b.amount, b.bank_ref,
           b.booked_at, b.state, b.credited, o.code AS order_code,
           ${memoOfTransfer} AS memo
      FROM bank_transaction b LEFT JOIN payment_order o ON o.id = b.order_id
     WHERE b.user_id = ${id}::bigint
       AND (${since}::timestamptz IS NULL OR (b.created_at, b.id) > (${since}::timestamptz, ${last}::bigint))
     ORDER BY b.created_at, b.id LIMIT ${limit}`
})

export async function deleteEventBodiesOf(tx: Tx, { id }: Person): Promise<void> {
  await sql`
    DELETE FROM payment_event_body WHERE event_id IN (
      SELECT e.id FROM payment_event e
       WHERE e.bank_transaction_id IN (${transfersOf(id)}) AND e.status <> 'new')`.execute(tx)
}

export async function countInReviewOf(tx: Tx, { id }: Person): Promise<number> {
  const { rows } = await sql`
    SELECT FROM bank_transaction WHERE user_id = ${id}::bigint AND state = 'review'`.execute(tx)
  return rows.length
}

export async function countOpenRefundsOf(tx: Tx, { id }: Person): Promise<number> {
  const { rows } = await sql`
    SELECT FROM gateway_refund r
      JOIN bank_transaction b ON b.id = r.bank_transaction_id
      LEFT JOIN payment_order o ON o.id = b.order_id
     WHERE r.state = 'asked' AND ${id}::bigint IN (b.user_id, o.user_id)`.execute(tx)
  return rows.length
}
