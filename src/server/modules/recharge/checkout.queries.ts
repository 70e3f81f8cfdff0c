import { sql } from 'kysely'
import type { CheckoutClient } from '#server/modules/payment-providers/index.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type Checkout = {
  orderId: string
  code: string
  amount: number
  orderStatus: string
  /** The account our own QR names. */
  bankBin: string
  accountNumber: string
  provider: string
  providerOrder: string
  requestId: string
  payUrl: string | null
  state: 'asked' | 'open' | 'failed' | 'done'
  queries: number
  createdAt: Date
}

type Row = Omit<Checkout, 'amount'> & { amount: string }

/** The columns of a checkout `c` and its order `o`. */
const columns = sql`c.order_id AS "orderId", o.code, o.amount, o.status AS "orderStatus", o.bank_bin AS "bankBin",
  o.account_number AS "accountNumber", c.provider, c.provider_order AS "providerOrder", c.request_id AS "requestId",
  c.pay_url AS "payUrl", c.state, c.queries, c.created_at AS "createdAt"`

const toCheckout = (row: Row | undefined): Checkout | undefined =>
  row && { ...row, amount: parseCoins(row.amount) }

type NewCheckout = { code: string; client: CheckoutClient; firstQueryAt: Date }

/** Notes, with the order itself, that a vendor is about to be asked for it. */
export async function insertCheckout(tx: Tx, { code, client, firstQueryAt }: NewCheckout): Promise<void> {
  const providerOrder = client.namesOrdersBy === 'number' ? sql.ref('id') : sql.ref('code')
  await sql`
    INSERT INTO payment_checkout (order_id, provider, provider_order, request_id, next_query_at)
      SELECT id, ${client.provider}, ${providerOrder}::text, code, ${firstQueryAt}
        FROM payment_order WHERE code = ${code}`.execute(tx)
}

export async function findCheckout(db: Db | Tx, code: string): Promise<Checkout | undefined> {
  const { rows } = await sql<Row>`
    SELECT ${columns} FROM payment_order o JOIN payment_checkout c ON c.order_id = o.id
     WHERE o.code = ${code}`.execute(db)
  return toCheckout(rows[0])
}

type Opened = { orderId: string; payUrl: string; qr: string | null }

/** The provider has the order: its address is kept, and its QR takes the place of ours when it has one. */
export async function markCheckoutOpen(tx: Tx, { orderId, payUrl, qr }: Opened): Promise<void> {
  await sql`UPDATE payment_checkout SET pay_url = ${payUrl}, state = 'open'
             WHERE order_id = ${orderId} AND state = 'asked'`.execute(tx)
  if (qr !== null) await tx.updateTable('payment_order').set({ qr }).where('id', '=', orderId).execute()
}

export async function markCheckoutOver(
  tx: Tx,
  { orderId, state }: { orderId: string; state: 'failed' | 'done' },
): Promise<void> {
  await sql`UPDATE payment_checkout SET state = ${state}, next_query_at = NULL
             WHERE order_id = ${orderId} AND state IN ('asked', 'open')`.execute(tx)
}

/** Closes a pending order that cannot be paid and notifies its watchers. */
export async function closeUnpayableOrder(tx: Tx, orderId: string): Promise<void> {
  await sql`
    WITH closed AS (
      UPDATE payment_order SET status = 'cancelled' WHERE id = ${orderId} AND status = 'pending' RETURNING code)
    SELECT pg_notify('recharge_order', code) FROM closed`.execute(tx)
}

/** Leases one checkout whose status is due to be queried. No other worker queries it until the lease ends. */
export async function claimDueCheckout(db: Db, leaseSeconds: number): Promise<Checkout | undefined> {
  const { rows } = await sql<Row>`
    WITH due AS MATERIALIZED (
      SELECT order_id FROM payment_checkout
       WHERE next_query_at <= clock_timestamp() ORDER BY next_query_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE payment_checkout c
       SET next_query_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
           last_query_at = clock_timestamp(), queries = c.queries + 1
      FROM due, payment_order o
     WHERE c.order_id = due.order_id AND o.id = c.order_id
    RETURNING ${columns}`.execute(db)
  return toCheckout(rows[0])
}

/** Sets the next query time; null ends the queries. A sooner time set meanwhile stays. */
export async function scheduleCheckout(
  db: Db,
  { orderId, at }: { orderId: string; at: Date | null },
): Promise<void> {
  await sql`UPDATE payment_checkout
               SET next_query_at = ${at}::timestamptz,
                   state = CASE WHEN ${at}::timestamptz IS NULL THEN 'done' ELSE state END
             WHERE order_id = ${orderId} AND state IN ('asked', 'open')
               AND next_query_at > clock_timestamp()`.execute(db)
}

/** Makes a query due now, at most once per pause. */
export async function hastenCheckout(
  db: Db | Tx,
  { code, pauseSeconds }: { code: string; pauseSeconds: number },
): Promise<void> {
  await sql`
    UPDATE payment_checkout c SET next_query_at = clock_timestamp()
      FROM payment_order o
     WHERE o.code = ${code} AND c.order_id = o.id AND c.state IN ('asked', 'open')
       AND c.next_query_at > clock_timestamp()
       AND coalesce(c.last_query_at, c.created_at) <= clock_timestamp() - make_interval(secs => ${pauseSeconds})`.execute(
    db,
  )
}
