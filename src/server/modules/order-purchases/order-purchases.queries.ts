import { sql, type RawBuilder } from 'kysely'
import type { NotBought } from '#contract/constants.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { inPages } from '#server/domain/personal-part.ts'
import { listDueOf } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import type { DuePart } from '#server/platform/queues/claiming.ts'

/** As it is stored; `deliveryState` is the delivery's. */
export type StoredPurchase = {
  state: 'waiting' | 'bought' | 'not-bought'
  reason: NotBought | null
  character_id: string
  character_name: string
  receive: number
  amount: number
  delivery_id: string | null
  delivery_state: string | null
}

/** What an order buys or has bought, as a value of a statement that reads orders; null where it buys nothing. */
export const selectPurchaseOf = (orderId: RawBuilder<string>) =>
  sql<StoredPurchase | null>`(
  SELECT json_build_object('state', p.state, 'reason', p.reason, 'character_id', p.character_id,
      'character_name', p.character_name, 'amount', p.amount,
      'receive', coalesce((SELECT e.receive FROM exchange_order e WHERE e.delivery_id = p.delivery_id), p.receive), 'delivery_id', p.delivery_id,
      'delivery_state', (SELECT d.state FROM delivery d WHERE d.id = p.delivery_id))
    FROM order_purchase p WHERE p.order_id = ${orderId})`

/** Whether money for the order has something to buy, as a value of a statement that reads orders. */
export const selectIsWaiting = (orderId: RawBuilder<string>) =>
  sql<boolean>`EXISTS (SELECT FROM order_purchase p WHERE p.order_id = ${orderId} AND p.state = 'waiting')`

/**
 * TCoin of the wallet that other purchases of the player count on: all of the price once their money is there, else what their
 * orders do not bring. Only to be trusted under the wallet's lock.
 */
export async function sumCountedOn(tx: Tx, userId: string): Promise<number> {
  const { rows } = await sql<{ coins: string }>`
    SELECT coalesce(sum(
             CASE WHEN p.next_attempt_at IS NULL THEN greatest(0, p.amount - o.amount * o.rate) ELSE p.amount END),
           0)::bigint AS coins
      FROM order_purchase p JOIN payment_order o ON o.id = p.order_id
     WHERE p.user_id = ${userId}::bigint AND p.state = 'waiting'
       AND (p.next_attempt_at IS NOT NULL
            OR (o.status = 'pending' AND o.expires_at > statement_timestamp()))`.execute(tx)
  return parseCoins(rows[0]?.coins ?? '0')
}

export type NewPurchase = {
  code: string
  character: { id: string; name: string }
  amount: number
  receive: number
}

/** Of an order that was just written. */
export async function insertPurchase(
  tx: Tx,
  { code, character, amount, receive }: NewPurchase,
  hours: number,
): Promise<void> {
  await sql`
    INSERT INTO order_purchase (order_id, user_id, character_id, character_name, amount, receive, until)
    SELECT id, user_id, ${character.id}, ${character.name}, ${amount}::bigint, ${receive}::bigint,
           expires_at + make_interval(hours => ${hours})
      FROM payment_order WHERE code = ${code}`.execute(tx)
}

/** The order's money is credited. Sent together with the next statement. */
export async function updateDueWithNext(tx: Tx, orderId: string): Promise<void> {
  const update = sql`
    UPDATE order_purchase SET next_attempt_at = clock_timestamp(), attempt = 0
     WHERE order_id = ${orderId}::bigint AND state = 'waiting'`
  await sendWithNext(tx, update.compile(tx))
}

/** The order's money was taken back before anything was bought, and is decided about again. */
export async function updateNotDue(tx: Tx, orderId: string): Promise<void> {
  await sql`
    UPDATE order_purchase SET next_attempt_at = NULL
     WHERE order_id = ${orderId}::bigint AND state = 'waiting'`.execute(tx)
}

export async function updateCancelled(tx: Tx, orderId: RawBuilder<string>): Promise<void> {
  await sql`
    UPDATE order_purchase SET state = 'not-bought', reason = 'cancelled', settled_at = clock_timestamp()
     WHERE order_id = ${orderId} AND state = 'waiting'`.execute(tx)
}

export const orderById = (id: string): RawBuilder<string> => sql`${id}::bigint`

export const orderByCode = (code: string): RawBuilder<string> =>
  sql`(SELECT id FROM payment_order WHERE code = ${code})`

export type Due = { orderId: string; userId: string }

export const FIRST_PAUSE_SECONDS = 5
const PAUSE_MAX_SECONDS = 300

export const duePurchases = ({ limit, isWanted }: DuePart) => sql<{ id: string }>`
  SELECT order_id, order_id AS id FROM order_purchase
   WHERE state = 'waiting' AND ${isDue(sql`next_attempt_at`, PAUSE_MAX_SECONDS)}
     AND ${isWanted(sql`order_purchase.order_id`)}
   ORDER BY next_attempt_at LIMIT ${limit}`

/** Takes what is due; whoever dies meanwhile, it is due again after a pause that grows. */
export async function claimDue(db: Db, part: DuePart): Promise<Due[]> {
  const { rows } = await sql<Due>`
    WITH due AS MATERIALIZED (${duePurchases(part)} FOR UPDATE SKIP LOCKED)
    UPDATE order_purchase p
       SET attempt = attempt + 1,
           next_attempt_at = clock_timestamp() + make_interval(
             secs => least(${PAUSE_MAX_SECONDS}, ${FIRST_PAUSE_SECONDS} * power(2, least(attempt, 10))))
      FROM due WHERE p.order_id = due.order_id
    RETURNING p.order_id AS "orderId", p.user_id AS "userId"`.execute(db)
  return rows
}

export type LockedPurchase = {
  code: string
  characterId: string
  characterName: string
  amount: number
  receive: number
  isLate: boolean
}

/** Undefined where nothing is to be bought (any more). The player's wallet is locked by the caller. */
export async function lockDue(tx: Tx, orderId: string): Promise<LockedPurchase | undefined> {
  const { rows } = await sql<LockedPurchase & Record<'amount' | 'receive', string>>`
    SELECT o.code, p.character_id AS "characterId", p.character_name AS "characterName", p.amount, p.receive,
           p.until <= clock_timestamp() AS "isLate"
      FROM order_purchase p JOIN payment_order o ON o.id = p.order_id
     WHERE p.order_id = ${orderId}::bigint AND p.state = 'waiting' AND p.next_attempt_at IS NOT NULL
       FOR UPDATE OF p`.execute(tx)
  const [row] = rows
  return row && { ...row, amount: parseCoins(row.amount), receive: parseCoins(row.receive) }
}

export async function updateBought(tx: Tx, orderId: string, deliveryId: string): Promise<void> {
  const update = sql`
    UPDATE order_purchase SET state = 'bought', delivery_id = ${deliveryId}::uuid, settled_at = clock_timestamp()
     WHERE order_id = ${orderId}::bigint`
  await sendWithNext(tx, update.compile(tx))
}

export async function updateNotBought(tx: Tx, orderId: string, reason: NotBought): Promise<void> {
  await sql`
    UPDATE order_purchase SET state = 'not-bought', reason = ${reason}, settled_at = clock_timestamp()
     WHERE order_id = ${orderId}::bigint`.execute(tx)
}

const isTooLate = sql<boolean>`state = 'waiting' AND next_attempt_at IS NULL AND until <= clock_timestamp()`

/** The orders of purchases that nobody has paid for in time. */
export const listTooLate = listDueOf({
  id: 'order_purchase.order_id',
  from: sql`order_purchase`,
  isDue: isTooLate,
  order: sql`until`,
})

/** Ends purchases whose money never came; answers the orders' codes. */
export async function updateTooLate(tx: Tx, orderIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    WITH late AS MATERIALIZED (
      SELECT order_id FROM order_purchase
       WHERE order_id = ANY (${orderIds}::bigint[]) AND ${isTooLate}
       ORDER BY until FOR UPDATE SKIP LOCKED)
    UPDATE order_purchase p SET state = 'not-bought', reason = 'late', settled_at = clock_timestamp()
      FROM late JOIN payment_order o ON o.id = late.order_id
     WHERE p.order_id = late.order_id
    RETURNING o.code`.execute(tx)
  return rows.map(({ code }) => code)
}

export const purchasesOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT p.order_id::text AS cursor, o.code AS "order", p.character_name, p.amount, p.receive, p.state, p.reason,
           p.created_at
      FROM order_purchase p JOIN payment_order o ON o.id = p.order_id
     WHERE p.user_id = ${id}::bigint AND p.order_id > coalesce(${after}::bigint, 0)
     ORDER BY p.order_id LIMIT ${limit}`,
)

/** The game's names of the player's characters; what was bought and for how much stays. */
export async function erasePurchasesOf(tx: Tx, userId: string): Promise<void> {
  await sql`
    UPDATE order_purchase SET character_id = '', character_name = ''
     WHERE user_id = ${userId}::bigint`.execute(tx)
}
