import { sql, type RawBuilder } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { operatorPaymentEvents, PaymentEvent } from '#contract/operator/bank-transfers.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { describeReason } from '#contract/operator/words.ts'
import { searchForm } from '#contract/search-form.ts'
import { findOrderCodes } from '#server/modules/recharge/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { findStoredEvent } from './settlement.queries.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'

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

const isWaiting = sql<boolean>`(${isOpen} AND NOT ${hasFresh})`

/** The filter of the list's query. */
export type EventFilter = NonNullable<QueryOf<typeof operatorPaymentEvents.list>['filter']>

const UNREADABLE = sql`event.reason IN ('unreadable-notice', 'unreadable-row')`
const shownStatus = sql<
  PaymentEvent['status']
>`CASE WHEN ${UNREADABLE} THEN 'unreadable' ELSE event.status END`

/** So many of each kind of likeness are looked at, the newest first. */
const FOUND_MAX = 500

/** The ids of the events that a text may mean: reference, provider's id, amount, account number or words of the memo. */
export function eventsFound(text: string, max = FOUND_MAX): RawBuilder<unknown> {
  // A code is found however it is written, and a memo that was copied by its words, whatever is read as a code in it.
  const allOf = wordsIn(text).map((word) => `${word}:*`)
  const [code] = findOrderCodes(text)
  const words = [...(code === undefined ? [] : [`${code.toLowerCase()}:*`]), allOf.join(' & ')].filter(
    Boolean,
  )
  const amount = /^\d[\d.,\s]{0,20}$/.test(text) ? text.replaceAll(/\D/g, '') : ''
  const newest = newestWhere(max)
  const parts = [
    newest(sql`upper(e.bank_ref) = upper(${text})`),
    ...onAccount(text, max),
    sql`(SELECT e.id FROM payment_event e
          WHERE e.provider = ANY (ARRAY(SELECT name FROM payment_provider)) AND e.provider_event_id = ${text})`,
    ...(amount !== '' && amount.length <= 13 ? [newest(sql`e.amount = ${amount}::bigint`)] : []),
    ...(words.length === 0
      ? []
      : [
          sql`(SELECT body.event_id FROM payment_event_body body
                WHERE notice_words(body.memo, body.full_text, body.code)
                      @@ to_tsquery('simple', ${words.join(' | ')}) LIMIT ${max})`,
        ]),
  ]
  return sql`SELECT found.id FROM (${sql.join(parts, sql` UNION `)}) AS found(id)`
}

const newestWhere = (max: number) => (condition: RawBuilder<unknown>) =>
  sql`
    (SELECT e.id FROM payment_event e WHERE ${condition} ORDER BY e.id DESC LIMIT ${max})`

/** By either of its numbers, each along its own index. */
const onAccount = (number: string, max: number) =>
  [sql`e.account_number = ${number}`, sql`e.virtual_account = ${number}`].map(newestWhere(max))

const WORDS_MAX = 8

/** As `notice_words` has them. */
const wordsIn = (text: string): string[] =>
  searchForm(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)
    .slice(0, WORDS_MAX)

function found(db: Db, { id, state, status = state, waiting, amount, account, q }: EventFilter) {
  return db
    .selectFrom('payment_event as event')
    .$if(waiting === true, (query) => query.where(isOpen).where(sql<boolean>`NOT ${hasFresh}`))
    .$if(id !== undefined, (query) => query.where('event.id', 'in', id as string[]))
    .$if(status === 'unreadable', (query) => query.where(sql<boolean>`${UNREADABLE}`))
    .$if(status !== undefined && status !== 'unreadable', (query) =>
      query.where('event.status', '=', status as string).where(sql<boolean>`${UNREADABLE} IS NOT TRUE`),
    )
    .$if(amount !== undefined, (query) => query.where('event.amount', '=', String(amount)))
    .$if(account !== undefined, (query) =>
      query.where(
        sql<boolean>`event.id = ANY (ARRAY(${sql.join(onAccount(account as string, LIST_REACH_MAX), sql` UNION `)}))`,
      ),
    )
    .$if(q !== undefined, (query) =>
      query.where(sql<boolean>`event.id = ANY (ARRAY(${eventsFound(q as string)}))`),
    )
}

export async function listStoredEvents(db: Db, filter: EventFilter, page: ListPage): Promise<PaymentEvent[]> {
  const rows = await pageById(
    found(db, filter)
      .leftJoin('payment_event_body as body', 'body.event_id', 'event.id')
      .selectAll('event')
      .select(['body.memo', shownStatus.as('status'), isWaiting.as('is_open')])
      .$narrowType<Pick<PaymentEvent, 'signature' | 'direction'>>(),
    'event.id',
    page,
  ).execute()
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

const LIKE_CLAIM_MAX = 10

/** Incoming money of an amount around a time, or under a reference, that has no bank transfer: set aside, or waiting. */
export async function listUnassigned(
  db: Db,
  { amount, at, hours, reference }: { amount: number; at: string; hours: number; reference: string | null },
): Promise<PaymentEvent[]> {
  const { rows } = await sql<{ id: string }>`
    (SELECT id FROM payment_event
      WHERE bank_transaction_id IS NULL AND direction = 'in' AND status <> 'duplicate' AND amount = ${amount}
        AND coalesce(booked_at, received_at)
            BETWEEN ${at}::timestamptz - make_interval(hours => ${hours})
                AND ${at}::timestamptz + make_interval(hours => ${hours})
      LIMIT ${LIKE_CLAIM_MAX})
    UNION
    (SELECT id FROM payment_event
      WHERE upper(bank_ref) = ${reference} AND bank_transaction_id IS NULL AND direction = 'in'
        AND status <> 'duplicate' LIMIT ${LIKE_CLAIM_MAX})`.execute(db)
  if (rows.length === 0) return []
  const page = { order: 'asc', from: 0, to: LIKE_CLAIM_MAX - 1 } as const
  return listStoredEvents(db, { id: rows.map(({ id }) => id) }, page)
}

export async function findEvent(db: Db, id: string) {
  const row = await found(db, { id: [id] })
    .leftJoin('payment_event_body as body', 'body.event_id', 'event.id')
    .selectAll('event')
    .select(['body.memo', 'body.full_text', 'body.code', 'body.payer_account', 'body.raw as bytes'])
    .select([shownStatus.as('status'), isWaiting.as('is_open')])
    .$narrowType<Pick<PaymentEvent, 'signature' | 'direction'>>()
    .executeTakeFirst()
  return row && toEvent(row)
}

export async function countStoredEvents(db: Db, filter: EventFilter): Promise<number> {
  return countWithinReach(db, found(db, filter))
}

export type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockEvent>>>

export async function lockEvent(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('payment_event as event')
    .select(['event.reason', isOpen.as('isOpen'), hasFresh.as('hasFresh')])
    .where('event.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const stored = row && (await findStoredEvent(tx, id))
  return stored && { ...stored.event, toldAt: stored.toldAt, ...row }
}

/**
 * Erases one batch of bodies of handled events that came more than `months` ago; true when there may be more. Bodies are
 * read in the order of their events up to the newest event of that age, so that younger ones cost nothing.
 */
export const removeOldBodies = (deps: { db: Db; log: Log }, months: number): Promise<boolean> =>
  sweep(deps, {
    job: 'old payment notifications',
    table: 'payment_event_body',
    isDue: sql`due.event_id <= (
        SELECT id FROM payment_event WHERE received_at < now() - make_interval(months => ${months}::integer)
         ORDER BY received_at DESC LIMIT 1)
      AND EXISTS (
        SELECT FROM payment_event event
         WHERE event.id = due.event_id AND event.received_at < now() - make_interval(months => ${months}::integer)
           AND event.status IN ('applied', 'duplicate', 'ignored'))`,
    order: sql`due.event_id`,
  })
