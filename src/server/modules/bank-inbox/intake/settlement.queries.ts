import { sql, type RawBuilder } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import type { BankEvent } from '#server/modules/payment-providers/index.ts'
import type { LockedOrder } from '#server/modules/recharge/index.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isPast } from '#server/platform/db/due.ts'
import { notify } from '#server/domain/notices.ts'
import { isOwnEvent } from '../operator/bank-transfers.queries.ts'
import type { KnownReport } from '../matching/likeness.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'

export type EventToStore = {
  event: BankEvent
  /** `pulled`: read from the provider's list by the portal, without a signature. */
  signature: 'valid' | 'stale' | 'pulled'
  raw: Buffer
  /** Decided by its content alone: such an event is not matched. */
  decided?: { status: 'ignored' | 'review' | 'duplicate'; reason: string }
}

/**
 * Stores a payment event with its body in one statement and so in one commit. Undefined when it was stored before.
 */
export async function insertEvent(
  db: Db,
  { event, signature, raw, decided }: EventToStore,
): Promise<{ id: string; receivedAt: Date } | undefined> {
  const { rows } = await sql<{ id: string; receivedAt: Date }>`
    WITH event AS (
      INSERT INTO payment_event
          (provider, provider_event_id, signature, status, reason, direction, amount, account_number, virtual_account,
           bank_ref, booked_at, processed_at)
        VALUES (${event.provider}, ${event.providerEventId}, ${signature},
          ${signature === 'stale' ? 'stale' : (decided?.status ?? 'new')}, ${decided?.reason ?? null}::text,
          ${event.direction}, ${event.amountVnd}, ${event.accountNumber}, ${event.virtualAccount},
          ${event.bankRef}, ${event.bookedAt},
          CASE WHEN ${decided !== undefined} THEN clock_timestamp() END)
        ON CONFLICT (provider, provider_event_id) DO NOTHING
        RETURNING id, received_at)
    INSERT INTO payment_event_body (event_id, raw, memo, full_text, code, payer_account)
      SELECT id, ${raw}::bytea, ${event.memo}::text, ${event.fullText}::text, ${event.code}::text,
             ${event.payerAccount}::text FROM event
      RETURNING event_id AS id, (SELECT received_at FROM event) AS "receivedAt"`.execute(db)
  return rows[0]
}

const IDS_PER_QUERY = 500

/** What a provider reported under some of its ids, by these. */
export async function listStoredUnder(
  db: Db,
  provider: string,
  ids: readonly string[],
): Promise<Map<string, BankEvent>> {
  const known = new Map<string, BankEvent>()
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
    const rows = await storedEvents(db)
      .where('event.provider', '=', provider)
      .where('event.provider_event_id', 'in', ids.slice(at, at + IDS_PER_QUERY))
      .execute()
    for (const row of rows) known.set(row.providerEventId, toEvent(row).event)
  }
  return known
}

/** An event whose time is known, be it that of its arrival. */
export type StoredEvent = {
  id: string
  event: BankEvent & { bookedAt: Date }
  /** The time that the provider told. */
  toldAt: Date | null
}

/** The body may have been erased; what is left of the event then waits for a person. */
const storedEvents = (db: Db) =>
  db
    .selectFrom('payment_event as event')
    .leftJoin('payment_event_body as body', 'body.event_id', 'event.id')
    .select(['event.id', 'event.provider', 'event.provider_event_id as providerEventId', 'event.direction'])
    .select(['event.amount', 'event.account_number as accountNumber', 'event.bank_ref as bankRef'])
    .select(['event.virtual_account as virtualAccount', 'event.booked_at as bookedAt', 'event.received_at'])
    .select(['body.memo', 'body.full_text as fullText', 'body.code', 'body.payer_account as payerAccount'])
    .$narrowType<{ direction: 'in' | 'out' }>()

type StoredRow = Awaited<ReturnType<ReturnType<typeof storedEvents>['executeTakeFirstOrThrow']>>

function toEvent({ id, amount, received_at: receivedAt, ...stored }: StoredRow) {
  const event: BankEvent = {
    ...stored,
    amountVnd: parseCoins(amount),
    memo: stored.memo ?? '',
    fullText: stored.fullText ?? '',
  }
  return { id, event, receivedAt }
}

/** What an event reports never changes, so no lock is needed. Undefined when there is none. */
export async function findStoredEvent(db: Db, id: string): Promise<StoredEvent | undefined> {
  const row = await storedEvents(db).where('event.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { event, receivedAt } = toEvent(row)
  return { id, event: { ...event, bookedAt: event.bookedAt ?? receivedAt }, toldAt: event.bookedAt }
}

/** Whoever decides about a bank reference, which several transfers may have, takes turns until the commit. */
const turnUnderReference = ({ direction, bankRef }: Pick<BankEvent, 'direction' | 'bankRef'>) =>
  bankRef === null
    ? sql`NULL`
    : sql`pg_advisory_xact_lock(hashtextextended(upper(${`${direction} ${bankRef}`}::text), 0))::text`

export async function takeTurnUnderReference(tx: Tx, event: BankEvent): Promise<void> {
  await sql`SELECT ${turnUnderReference(event)}`.execute(tx)
}

/**
 * Locks an undecided event and takes the turn under its reference, with the next statement; then answers the database's clock, which all processes share, or
 * undefined when the event is decided, or locked by another process. Read before that statement was answered, it throws.
 */
export async function lockNewEventWithNext(
  tx: Tx,
  { id, event }: StoredEvent,
): Promise<() => Date | undefined> {
  const lock = tx
    .selectFrom('payment_event as event')
    .select([sql<Date>`clock_timestamp()`.as('now'), turnUnderReference(event).as('turn')])
    .where('event.id', '=', id)
    .where('event.status', '=', 'new')
    .forNoKeyUpdate('event')
    .skipLocked()
  const rows = await sendWithNext(tx, lock.compile())
  return () => rows()[0]?.now
}

/** A transfer as it is stored: under the account of ours that it came to. */
export type TransferAtBank = Pick<BankEvent, 'accountNumber' | 'direction' | 'bankRef' | 'amountVnd'> & {
  bookedAt: Date | null
}

export type NewBankTransaction = {
  event: TransferAtBank
  state: 'review' | 'ignored'
  reason: string | null
  order?: Pick<LockedOrder, 'id' | 'userId'> | undefined
}

export async function insertBankTransaction(
  tx: Tx,
  { event, state, reason, order }: NewBankTransaction,
): Promise<string> {
  const { id } = await tx
    .insertInto('bank_transaction')
    .values({
      account_number: event.accountNumber,
      direction: event.direction,
      bank_ref: event.bankRef,
      amount: event.amountVnd,
      booked_at: event.bookedAt,
      state,
      reason,
      order_id: order?.id ?? null,
      user_id: order?.userId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // One without a reason is about to be credited.
  if (state === 'review' && reason !== null) notify(tx, 'operator_event', 'bank-transfers')
  return id
}

/** Days around a transfer in which another notification may report it; banks give their references again. */
const DAYS_AROUND = 7
const REPORTS_MAX = 50

/** As JSON, what was reported of transfers under the reference of an event, on one of its accounts, the nearest first. */
export const reportsUnder = (event: BankEvent & { bookedAt: Date }): RawBuilder<ReportRow[]> =>
  event.bankRef === null
    ? sql<ReportRow[]>`'[]'::json`
    : sql<ReportRow[]>`(
  SELECT coalesce(json_agg(report), '[]') FROM (
    SELECT e.bank_transaction_id::text AS "transferId", e.provider, e.amount AS "amountVnd", e.booked_at AS "bookedAt",
           body.payer_account AS "payerAccount", coalesce(body.memo, '') AS memo,
           coalesce(body.full_text, '') AS "fullText", body.code
      FROM payment_event e LEFT JOIN payment_event_body body ON body.event_id = e.id
     WHERE upper(e.bank_ref) = upper(${event.bankRef}) AND e.direction = ${event.direction}
       AND e.bank_transaction_id IS NOT NULL AND ${isOwnEvent('e')}
       AND ARRAY[e.account_number, e.virtual_account]
           && ARRAY[${event.accountNumber}::text, ${event.virtualAccount}::text]
       AND coalesce(e.booked_at, e.received_at)
           BETWEEN ${event.bookedAt}::timestamptz - make_interval(days => ${DAYS_AROUND})
               AND ${event.bookedAt}::timestamptz + make_interval(days => ${DAYS_AROUND})
     ORDER BY abs(extract(epoch FROM coalesce(e.booked_at, e.received_at) - ${event.bookedAt}::timestamptz)), e.id
     LIMIT ${REPORTS_MAX}) report)`

type ReportRow = Omit<KnownReport, 'bookedAt'> & { bookedAt: string | null }

export const toReports = (rows: readonly ReportRow[]): KnownReport[] =>
  rows.map((row) => ({ ...row, bookedAt: row.bookedAt === null ? null : new Date(row.bookedAt) }))

export async function listReportsUnder(
  tx: Tx,
  event: BankEvent & { bookedAt: Date },
): Promise<KnownReport[]> {
  const { rows } = await sql<{ reports: ReportRow[] }>`SELECT ${reportsUnder(event)} AS reports`.execute(tx)
  return toReports(rows[0]?.reports ?? [])
}

/** The id of the next transfer at the bank, for the posting that is made before its row. */
export const nextTransferId = sql<string>`nextval('bank_transaction_id_seq')`

export type StoredCredit = {
  id: string
  /** The cause that the ledger has its movement by, which is posted before. */
  source: { type: string; id: string }
  coins: number
}

const movementOf = ({ source }: StoredCredit) => sql`(
  SELECT posted.id FROM ledger_transfer AS posted
   WHERE posted.kind = 'recharge' AND posted.source_type = ${source.type} AND posted.source_id = ${source.id})`

/** Statements that are sent as parts of another one. */
type Parts = readonly RawBuilder<unknown>[]

const named = (parts: Parts) =>
  sql.join(parts.map((part, index) => sql`${sql.ref(`notice_${index}`)} AS (${part})`))

/** Stores the credit in a transfer that was there before. The notices are written beside it. */
export const markCredited = (credited: StoredCredit, notices: Parts): RawBuilder<unknown> => sql`
  WITH ${named(notices)}
  UPDATE bank_transaction
     SET state = 'credited', reason = NULL, credited = ${credited.coins}, transfer_id = ${movementOf(credited)}
   WHERE id = ${credited.id}`

/** Stores a transfer that is credited, decides the event that reported it, and writes the notices. */
export function insertCredited(
  credited: StoredCredit,
  { id, event }: StoredEvent,
  {
    accountNumber,
    order,
    notices,
  }: { accountNumber: string; order: { id: string; userId: string }; notices: Parts },
): RawBuilder<unknown> {
  return sql`
    WITH ${named(notices)}, transfer AS (
      INSERT INTO bank_transaction
          (id, account_number, direction, bank_ref, amount, booked_at, order_id, user_id, state, credited, transfer_id)
        OVERRIDING SYSTEM VALUE
        VALUES (${credited.id}, ${accountNumber}, ${event.direction}, ${event.bankRef}, ${event.amountVnd},
          ${event.bookedAt}, ${order.id}, ${order.userId}, 'credited', ${credited.coins}, ${movementOf(credited)})
        RETURNING id)
    UPDATE payment_event AS event
       SET status = 'applied', reason = NULL, bank_transaction_id = transfer.id, processed_at = clock_timestamp()
      FROM transfer WHERE event.id = ${id}`
}

export type EventOutcome = {
  status: 'applied' | 'review' | 'duplicate' | 'ignored'
  reason: string | null
  /** Left as it is when not given. */
  bankTransactionId?: string | null
}

export async function markEvent(
  tx: Tx,
  id: string,
  { status, reason, bankTransactionId }: EventOutcome,
): Promise<void> {
  await tx
    .updateTable('payment_event')
    .set({
      status,
      reason,
      bank_transaction_id: bankTransactionId,
      processed_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Events left undecided, older than the grace given to the request that brought them; in order. */
export async function listUndecidedEvents(
  db: Db,
  isResting: IsResting,
  { limit, graceSeconds }: { limit: number; graceSeconds: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_event')
    .select('id')
    .where('status', '=', 'new')
    .where(isPast(sql`received_at`, graceSeconds))
    .where(sql<boolean>`NOT ${isResting(sql`payment_event.id`)}`)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
