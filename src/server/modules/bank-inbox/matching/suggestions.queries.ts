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

type OpenAround = { accountNumber: string; amount: number; at: Date; limit: number }

/** Unpaid orders for just this amount on just this account that were open within a day of a moment, the latest first. */
export async function listOrdersOpenAround(
  db: Db,
  { accountNumber, amount, at, limit }: OpenAround,
): Promise<SuggestedOrder[]> {
  const rows = await unpaid(db)
    .where('placed.account_number', '=', accountNumber)
    .where('placed.amount', '=', String(amount))
    // An order is open for half an hour; a day before that is as good as a day before it ended.
    .where('placed.created_at', '>=', sql<Date>`${at}::timestamptz - interval '24 hours 30 minutes'`)
    .where('placed.created_at', '<=', sql<Date>`${at}::timestamptz + interval '24 hours'`)
    .orderBy('placed.created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toOrder)
}

export async function listUnpaidOrders(db: Db, codes: readonly string[]): Promise<SuggestedOrder[]> {
  if (codes.length === 0) return []
  const rows = await unpaid(db)
    .where('placed.code', '=', sql<string>`ANY (${codes}::text[])`)
    .limit(10)
    .execute()
  return rows.map(toOrder)
}

/** How far back a player's orders, and a payer's transfers, are looked through. */
const LOOKED_AT_MAX = 50
const ORDERS_OF_ONE_MAX = 5

/** The newest unpaid orders of some players, of the week before a moment and the day after it. */
export async function listUnpaidOrdersOfPlayers(
  db: Db,
  { userIds, at }: { userIds: readonly string[]; at: Date },
): Promise<SuggestedOrder[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<Row>`
    SELECT placed.code, placed.amount, placed.status, placed.created_at, placed.user_id AS "userId", users.username,
           placed.account_number AS "accountNumber"
      FROM users CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM payment_order WHERE user_id = users.id ORDER BY id DESC LIMIT ${LOOKED_AT_MAX}) AS recent
         WHERE recent.credited = 0
           AND recent.created_at BETWEEN ${at}::timestamptz - interval '7 days' AND ${at}::timestamptz + interval '1 day'
         ORDER BY recent.id DESC LIMIT ${ORDERS_OF_ONE_MAX}) AS placed
     WHERE users.id = ANY (${[...new Set(userIds)]}::bigint[])`.execute(db)
  return rows.map(toOrder)
}

const PAID_BEFORE_MAX = 5

/**
 * Who was credited with what came before from the account that this transfer came from, as far as its text names one; the
 * one with most of the latest fifty first.
 */
export async function listPaidBefore(
  db: Db,
  transferId: string,
): Promise<{ id: string; username: string; count: number }[]> {
  const { rows } = await sql<{ id: string; username: string; count: number }>`
    WITH payer AS MATERIALIZED (
      SELECT DISTINCT payer_account(body.memo, body.full_text) AS account
        FROM payment_event event JOIN payment_event_body body ON body.event_id = event.id
       WHERE event.bank_transaction_id = ${transferId}::bigint AND ${isOwnEvent('event')}
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
     WHERE transfer.id <> ${transferId}::bigint AND users.erased_at IS NULL
     GROUP BY users.id, users.username
     ORDER BY count DESC, users.id
     LIMIT ${PAID_BEFORE_MAX}`.execute(db)
  return rows
}

export async function listPlayersNamed(
  db: Db,
  usernames: readonly string[],
): Promise<{ id: string; username: string }[]> {
  if (usernames.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username_key', '=', sql<string>`ANY (${usernames}::text[])`)
    .limit(10)
    .execute()
}

export async function listPlayersWithPhones(
  db: Db,
  phones: readonly string[],
): Promise<{ id: string; username: string }[]> {
  if (phones.length === 0) return []
  return db
    .selectFrom('user_contacts')
    .innerJoin('users', 'users.id', 'user_contacts.user_id')
    .select(['users.id', 'users.username'])
    .where('user_contacts.phone', '=', sql<string>`ANY (${phones}::text[])`)
    .limit(10)
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
