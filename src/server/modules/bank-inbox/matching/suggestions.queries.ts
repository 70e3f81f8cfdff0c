import { sql } from 'kysely'
import type { Unmatched } from '#contract/operator/users.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isOwnEvent } from '../operator/bank-transfers.queries.ts'
import type { SuggestedOrder } from './suggestions.rules.ts'

const unpaid = (db: Db) =>
  db
    .selectFrom('payment_order as placed')
    .innerJoin('users', 'users.id', 'placed.user_id')
    .select(['placed.code', 'placed.amount', 'placed.status', 'placed.created_at'])
    .select(['placed.user_id as userId', 'users.username', 'placed.account_number as accountNumber'])
    .$narrowType<{ status: RechargeOrder['status'] }>()
    .where('placed.credited', '=', '0')

type Row = Awaited<ReturnType<ReturnType<typeof unpaid>['executeTakeFirstOrThrow']>>

const toOrder = (row: Row): SuggestedOrder => ({ ...row, amount: parseCoins(row.amount) })

/** What was found for one of several that were asked about; `place` is where that one stands among them. */
type Found<Row> = Row & { place: number }

type OpenAround = { accountNumber: string; amount: number; at: Date }

/** Unpaid orders for just each amount on just each account that were open within a day of a moment, the latest first. */
export async function listOrdersOpenAround(
  db: Db,
  asked: readonly OpenAround[],
  limit: number,
): Promise<Found<SuggestedOrder>[]> {
  const near = unpaid(db)
    .where('placed.account_number', '=', sql<string>`asked.account_number`)
    .where('placed.amount', '=', sql<string>`asked.amount`)
    // An order is open for half an hour; a day before that is as good as a day before it ended.
    .where('placed.created_at', '>=', sql<Date>`asked.at - interval '24 hours 30 minutes'`)
    .where('placed.created_at', '<=', sql<Date>`asked.at + interval '24 hours'`)
    .orderBy('placed.created_at', 'desc')
    .limit(limit)
  const accounts = asked.map(({ accountNumber }) => accountNumber)
  const amounts = asked.map(({ amount }) => amount)
  const moments = asked.map(({ at }) => at)
  const { rows } = await sql<Found<Row>>`
    SELECT asked.place::integer - 1 AS place, near.*
      FROM unnest(${accounts}::text[], ${amounts}::bigint[], ${moments}::timestamptz[]) WITH ORDINALITY
        AS asked (account_number, amount, at, place)
      CROSS JOIN LATERAL (${near}) AS near`.execute(db)
  return rows.map(toFound)
}

const toFound = ({ place, ...row }: Found<Row>) => ({ ...toOrder(row), place })

export async function listUnpaidOrders(db: Db, codes: readonly string[]): Promise<SuggestedOrder[]> {
  if (codes.length === 0) return []
  const rows = await unpaid(db)
    .where('placed.code', '=', sql<string>`ANY (${codes}::text[])`)
    .execute()
  return rows.map(toOrder)
}

/** How far back a player's orders, and a payer's transfers, are looked through. */
const LOOKED_AT_MAX = 50
const ORDERS_OF_ONE_MAX = 5

/** The newest unpaid orders of players, each of the week before a moment and the day after it. */
export async function listUnpaidOrdersOfPlayers(
  db: Db,
  asked: readonly { place: number; userId: string; at: Date }[],
): Promise<Found<SuggestedOrder>[]> {
  if (asked.length === 0) return []
  const places = asked.map(({ place }) => place)
  const userIds = asked.map(({ userId }) => userId)
  const moments = asked.map(({ at }) => at)
  const { rows } = await sql<Found<Row>>`
    SELECT asked.place, placed.code, placed.amount, placed.status, placed.created_at, placed.user_id AS "userId",
           users.username, placed.account_number AS "accountNumber"
      FROM unnest(${places}::integer[], ${userIds}::bigint[], ${moments}::timestamptz[]) AS asked (place, user_id, at)
      JOIN users ON users.id = asked.user_id CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM payment_order WHERE user_id = users.id ORDER BY id DESC LIMIT ${LOOKED_AT_MAX}) AS recent
         WHERE recent.credited = 0
           AND recent.created_at BETWEEN asked.at - interval '7 days' AND asked.at + interval '1 day'
         ORDER BY recent.id DESC LIMIT ${ORDERS_OF_ONE_MAX}) AS placed`.execute(db)
  return rows.map(toFound)
}

const PAID_BEFORE_MAX = 5

type PaidBefore = { transferId: string; id: string; username: string; count: number }

/**
 * Who was credited with what came before from the accounts that transfers came from, as far as their texts name one; of each
 * transfer the one with most of the latest fifty first.
 */
export async function listPaidBefore(db: Db, transferIds: readonly string[]): Promise<PaidBefore[]> {
  if (transferIds.length === 0) return []
  const { rows } = await sql<PaidBefore>`
    SELECT asked.id AS "transferId", paid.id, paid.username, paid.count
      FROM unnest(${transferIds}::bigint[]) AS asked (id) CROSS JOIN LATERAL (
        WITH payer AS MATERIALIZED (
          SELECT DISTINCT payer_account(body.memo, body.full_text) AS account
            FROM payment_event event JOIN payment_event_body body ON body.event_id = event.id
           WHERE event.bank_transaction_id = asked.id AND ${isOwnEvent('event')}
             AND payer_account(body.memo, body.full_text) IS NOT NULL
           LIMIT ${PAID_BEFORE_MAX})
        SELECT users.id, users.username, count(DISTINCT transfer.id)::integer AS count
          FROM payer CROSS JOIN LATERAL (
            SELECT event_id FROM payment_event_body
             WHERE payer_account(memo, full_text) = payer.account
             ORDER BY event_id DESC LIMIT ${LOOKED_AT_MAX}) AS earlier
          JOIN payment_event event ON event.id = earlier.event_id AND ${isOwnEvent('event')}
          JOIN bank_transaction transfer ON transfer.id = event.bank_transaction_id AND transfer.state = 'credited'
          JOIN users ON users.id = transfer.user_id
         WHERE transfer.id <> asked.id AND users.erased_at IS NULL
         GROUP BY users.id, users.username
         ORDER BY count DESC, users.id
         LIMIT ${PAID_BEFORE_MAX}) AS paid
     ORDER BY asked.id, paid.count DESC, paid.id`.execute(db)
  return rows
}

type Named = { id: string; username: string; name: string }

export async function listPlayersNamed(db: Db, usernames: readonly string[]): Promise<Named[]> {
  if (usernames.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'username', 'username_key as name'])
    .$narrowType<{ name: string }>()
    .where('username_key', '=', sql<string>`ANY (${usernames}::text[])`)
    .execute()
}

export async function listPlayersWithPhones(db: Db, phones: readonly string[]): Promise<Named[]> {
  if (phones.length === 0) return []
  return db
    .selectFrom('user_contacts')
    .innerJoin('users', 'users.id', 'user_contacts.user_id')
    .select(['users.id', 'users.username', 'user_contacts.phone as name'])
    .$narrowType<{ name: string }>()
    .where('user_contacts.phone', '=', sql<string>`ANY (${phones}::text[])`)
    .execute()
}

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
  /** What the providers reported about it. */
  texts: string[]
}

type Raw = Omit<TransferInReview, 'amount' | 'booked_at' | 'created_at'> & {
  amount: string
  booked_at: Date | null
  created_at: Date
}

/**
 * Incoming transfers that wait for a decision and may concern a player: those stored as theirs, the newest of all, whose texts
 * are to be read, and those of the amount and account of an unpaid order within a day of it.
 */
export async function listTransfersInReview(
  db: Db,
  { userId, orders }: { userId: string; orders: readonly UnpaidOrder[] },
): Promise<TransferInReview[]> {
  const searched = JSON.stringify(orders)
  const { rows } = await sql<Raw>`
    WITH searched AS (
      SELECT * FROM json_to_recordset(${searched}::json) AS o(amount bigint, account_number text, created_at timestamptz)),
    found AS (
      (SELECT b.id FROM bank_transaction b
        WHERE b.user_id = ${userId}::bigint AND b.state = 'review' AND b.direction = 'in'
        ORDER BY b.created_at DESC LIMIT ${ORDERS_MAX})
      UNION
      (SELECT b.id FROM bank_transaction b WHERE b.state = 'review' AND b.direction = 'in'
        ORDER BY b.created_at DESC, b.id DESC LIMIT ${TRANSFERS_MAX})
      UNION
      (SELECT b.id FROM searched o CROSS JOIN LATERAL (
         SELECT near.id FROM bank_transaction near
          WHERE near.amount = o.amount AND near.state = 'review' AND near.account_number = o.account_number
            AND near.direction = 'in'
            AND near.created_at BETWEEN o.created_at AND o.created_at + interval '24 hours 30 minutes'
          ORDER BY near.created_at LIMIT ${ORDERS_MAX}) b))
    SELECT b.id AS bank_transfer_id, b.amount, b.account_number, b.bank_ref, b.booked_at, b.created_at, b.user_id,
           paid.code AS order_code, reported.memo, coalesce(reported.texts, '{}') AS texts
      FROM found JOIN bank_transaction b ON b.id = found.id
      LEFT JOIN payment_order paid ON paid.id = b.order_id
      LEFT JOIN LATERAL (
        SELECT min(body.memo) AS memo, array_agg(concat_ws(' ', body.code, body.memo, body.full_text)) AS texts
          FROM (SELECT e.id FROM payment_event e
                 WHERE e.bank_transaction_id = b.id AND ${isOwnEvent('e')} ORDER BY e.id LIMIT 5) e
          JOIN payment_event_body body ON body.event_id = e.id) reported ON true
     ORDER BY b.created_at DESC, b.id DESC`.execute(db)
  return rows.map((row) => ({
    ...row,
    amount: parseCoins(row.amount),
    booked_at: row.booked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }))
}
