import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type {
  operatorPaymentEvents,
  PaymentEvent,
  PaymentEventDetail,
} from '#contract/operator/bank-transfers.ts'
import { describeReason } from '#contract/operator/words.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'

/** No bank transfer in the inbox covers it. The condition repeats that of the index. */
const isOpen = sql<boolean>`(event.status = 'stale' OR (event.status = 'review'
  AND (event.bank_transaction_id IS NULL OR event.reason = 'reference-conflict')))`

/**
 * The same notification came again in time, or was pulled: whatever there is to decide is decided about that one.
 * A stale one is stored under its own id and a mark.
 */
const hasFresh = sql<boolean>`(event.status = 'stale' AND EXISTS (
  SELECT FROM payment_event fresh
   WHERE fresh.provider = event.provider AND fresh.status <> 'stale'
     AND fresh.provider_event_id = regexp_replace(event.provider_event_id, '#stale$', '')))`

/** The filter of the list's query. */
export type EventFilter = NonNullable<QueryOf<typeof operatorPaymentEvents.list>['filter']>

const open = (db: Db, { id, status }: EventFilter) =>
  db
    .selectFrom('payment_event as event')
    .where(isOpen)
    .where(sql<boolean>`NOT ${hasFresh}`)
    .$if(id !== undefined, (query) => query.where('event.id', 'in', id as string[]))
    .$if(status !== undefined, (query) => query.where('event.status', '=', status as string))

/** What was signed too long ago, could not be read, or contradicts another payment event; the oldest first. */
export async function listOpenEvents(db: Db, filter: EventFilter, page: ListPage): Promise<PaymentEvent[]> {
  const found = open(db, filter)
    .leftJoin('payment_event_body as body', 'body.event_id', 'event.id')
    .selectAll('event')
    .select('body.memo')
    .$narrowType<Pick<PaymentEvent, 'signature' | 'status' | 'direction'>>()
  const rows = await pageById(found, 'event.id', page).execute()
  return rows.map(toEvent)
}

type StoredEvent = {
  reason: string | null
  amount: string
  booked_at: Date | null
  received_at: Date
  bank_transaction_id: string | null
}

const toEvent = <Row extends StoredEvent>(row: Row) => ({
  ...row,
  reason_text: describeReason(row.reason),
  amount: parseCoins(row.amount),
  booked_at: row.booked_at?.toISOString() ?? null,
  received_at: row.received_at.toISOString(),
  bank_transfer_id: row.bank_transaction_id,
})

export async function findEvent(db: Db, id: string): Promise<PaymentEventDetail | undefined> {
  const row = await db
    .selectFrom('payment_event as event')
    .leftJoin('payment_event_body as body', 'body.event_id', 'event.id')
    .selectAll('event')
    .select(['body.memo', 'body.full_text', sql<boolean>`${isOpen} AND NOT ${hasFresh}`.as('is_open')])
    .$narrowType<Pick<PaymentEvent, 'signature' | 'direction'>>()
    .where('event.id', '=', id)
    .executeTakeFirst()
  return row && toEvent(row)
}

export async function countOpenEvents(db: Db, filter: EventFilter): Promise<number> {
  return countWithinReach(db, open(db, filter))
}

export type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockEvent>>>

export async function lockEvent(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('payment_event as event')
    .select(['event.status', 'event.reason', 'event.direction', 'event.amount as amountVnd'])
    .select(['event.account_number as accountNumber', 'event.bank_ref as bankRef'])
    .select(['event.booked_at as bookedAt', isOpen.as('isOpen'), hasFresh.as('hasFresh')])
    .$narrowType<{ direction: 'in' | 'out' }>()
    .where('event.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { ...row, amountVnd: parseCoins(row.amountVnd) }
}

/**
 * Erases at most `limit` bodies of handled events that came more than `months` ago; answers how many. Bodies are read in
 * the order of their events up to the newest event of that age, so that younger ones cost nothing.
 */
export async function deleteOldBodies(
  db: Db,
  { months, limit }: { months: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM payment_event_body WHERE event_id IN (
      SELECT body.event_id FROM payment_event_body body
        JOIN payment_event event ON event.id = body.event_id
       WHERE body.event_id <= (
           SELECT id FROM payment_event WHERE received_at < now() - make_interval(months => ${months}::integer)
            ORDER BY received_at DESC LIMIT 1)
         AND event.received_at < now() - make_interval(months => ${months}::integer)
         AND event.status IN ('applied', 'duplicate', 'ignored')
       ORDER BY body.event_id LIMIT ${limit})`.execute(db)
  return Number(numAffectedRows)
}
