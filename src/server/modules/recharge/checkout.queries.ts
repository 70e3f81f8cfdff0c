import { sql } from 'kysely'
import type { CheckoutClient } from '#server/modules/payment-providers/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue, isPast, secondsSince } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { QUERY_DELAY_SECONDS_MAX } from './query-delays.rules.ts'
import { listDueOf } from '#server/platform/queues/due-rows.ts'

type NewCheckout = { code: string; client: CheckoutClient; delaySeconds: number }

/** Stored with the order itself, before it is requested from the vendor. */
export async function insertCheckout(tx: Tx, { code, client, delaySeconds }: NewCheckout): Promise<void> {
  const providerOrder = client.namesOrdersBy === 'number' ? sql.ref('id') : sql.ref('code')
  await sql`
    INSERT INTO payment_checkout (order_id, provider, provider_order, request_id, next_query_at)
      SELECT id, ${client.provider}, ${providerOrder}::text, code,
             clock_timestamp() + make_interval(secs => ${delaySeconds}::float8)
        FROM payment_order WHERE code = ${code}`.execute(tx)
}

export type Checkout = NonNullable<Awaited<ReturnType<typeof selectCheckout>>>

export async function selectCheckout(db: Db | Tx, code: string) {
  const row = await db
    .selectFrom('payment_order as placed')
    .innerJoin('payment_checkout as checkout', 'checkout.order_id', 'placed.id')
    .select(['placed.id as orderId', 'placed.code', 'placed.amount', 'placed.status as orderStatus'])
    // The account our own QR names.
    .select(['placed.bank_bin as bankBin', 'placed.account_number as accountNumber'])
    .select(['checkout.provider', 'checkout.provider_order as providerOrder'])
    .select(['checkout.request_id as requestId', 'checkout.pay_url as payUrl', 'checkout.state'])
    .select('checkout.queries')
    .select(secondsSince(sql`checkout.created_at`).as('ageSeconds'))
    .$narrowType<{ state: 'asked' | 'open' | 'failed' | 'done' }>()
    .where('placed.code', '=', code)
    .executeTakeFirst()
  return row && { ...row, amount: parseCoins(row.amount) }
}

type Opened = { orderId: string; payUrl: string; qr: string | null }

/** The provider has the order: its address is stored, and its QR takes the place of ours when it has one. */
export async function updateCheckoutOpen(tx: Tx, { orderId, payUrl, qr }: Opened): Promise<void> {
  await sql`UPDATE payment_checkout SET pay_url = ${payUrl}, state = 'open'
             WHERE order_id = ${orderId} AND state = 'asked'`.execute(tx)
  if (qr !== null) await tx.updateTable('payment_order').set({ qr }).where('id', '=', orderId).execute()
}

export async function updateCheckoutOver(
  tx: Tx,
  { orderId, state }: { orderId: string; state: 'failed' | 'done' },
): Promise<void> {
  await sql`UPDATE payment_checkout SET state = ${state}, next_query_at = NULL
             WHERE order_id = ${orderId} AND state IN ('asked', 'open')`.execute(tx)
}

/** The orders whose status is due to be queried. */
export const listDueCheckouts = listDueOf({
  id: 'payment_checkout.order_id',
  from: sql`payment_checkout`,
  isDue: isDue(sql`next_query_at`, QUERY_DELAY_SECONDS_MAX),
  order: sql`next_query_at`,
})

/** Leases one that is due, and answers its order's code. No other worker queries it until the lease ends. */
export async function leaseDueCheckout(
  db: Db,
  orderId: string,
  leaseSeconds: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`
    UPDATE payment_checkout c
       SET next_query_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
           last_query_at = clock_timestamp(), queries = c.queries + 1
      FROM payment_order o
     WHERE c.order_id = ${orderId}::bigint AND ${isDue(sql`c.next_query_at`, QUERY_DELAY_SECONDS_MAX)}
       AND o.id = c.order_id
    RETURNING o.code`.execute(db)
  return rows[0]?.code
}

/**
 * Leases one order's checkout now; false within the pause after the last query. One that is over may be leased as well,
 * and is not scheduled again by that.
 */
export async function leaseCheckout(
  tx: Tx,
  { code, leaseSeconds, pauseSeconds }: { code: string; leaseSeconds: number; pauseSeconds: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE payment_checkout c
       SET next_query_at = CASE WHEN c.state IN ('asked', 'open')
                                THEN clock_timestamp() + make_interval(secs => ${leaseSeconds}) END,
           last_query_at = clock_timestamp(), queries = c.queries + 1
      FROM payment_order o
     WHERE o.code = ${code} AND c.order_id = o.id
       AND ${isPast(sql`coalesce(c.last_query_at, '-infinity')`, pauseSeconds)}`.execute(tx)
  return numAffectedRows === 1n
}

/** Sets when the next query is made; null ends the queries. A sooner time set meanwhile stays. */
export async function updateNextQuery(
  db: Db,
  { orderId, delaySeconds }: { orderId: string; delaySeconds: number | null },
): Promise<void> {
  await sql`UPDATE payment_checkout
               SET next_query_at = clock_timestamp() + make_interval(secs => ${delaySeconds}::float8),
                   state = CASE WHEN ${delaySeconds}::float8 IS NULL THEN 'done' ELSE state END
             WHERE order_id = ${orderId} AND state IN ('asked', 'open')
               AND next_query_at > clock_timestamp()`.execute(db)
}

/** Makes a query due now, at most once per pause. */
export async function updateQueryDue(
  db: Db | Tx,
  { code, pauseSeconds }: { code: string; pauseSeconds: number },
): Promise<void> {
  await sql`
    UPDATE payment_checkout c SET next_query_at = clock_timestamp()
      FROM payment_order o
     WHERE o.code = ${code} AND c.order_id = o.id AND c.state IN ('asked', 'open')
       AND c.next_query_at > clock_timestamp()
       AND ${isPast(sql`coalesce(c.last_query_at, c.created_at)`, pauseSeconds)}`.execute(db)
}
