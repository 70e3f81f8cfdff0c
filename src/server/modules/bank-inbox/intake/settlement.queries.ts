import { sql, type RawBuilder } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import type { BankEvent, UncreditedEvent } from '#server/modules/payment-providers/index.ts'
import type { LockedOrder } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notify } from '#server/domain/notices.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'

export type EventToStore = {
  event: UncreditedEvent
  /** `pulled`: read from the provider's list by the portal, without a signature. */
  signature: 'valid' | 'stale' | 'pulled'
  raw: Buffer
  /** Decided by its content alone: such an event is not matched. */
  decided?: { status: 'ignored' | 'review'; reason: string }
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
          (provider, provider_event_id, signature, status, reason, direction, amount, account_number, bank_ref,
           booked_at, processed_at)
        VALUES (${event.provider}, ${event.providerEventId}, ${signature},
          ${signature === 'stale' ? 'stale' : (decided?.status ?? 'new')}, ${decided?.reason ?? null}::text,
          ${event.direction}, ${event.amountVnd}, ${event.accountNumber}, ${event.bankRef}, ${event.bookedAt},
          CASE WHEN ${decided !== undefined} THEN clock_timestamp() END)
        ON CONFLICT (provider, provider_event_id) DO NOTHING
        RETURNING id, received_at)
    INSERT INTO payment_event_body (event_id, raw, memo, full_text, code)
      SELECT id, ${raw}::bytea, ${event.memo}::text, ${event.fullText}::text, ${event.code}::text FROM event
      RETURNING event_id AS id, (SELECT received_at FROM event) AS "receivedAt"`.execute(db)
  return rows[0]
}

const IDS_PER_QUERY = 500

/** Of a provider's own ids, those whose events are stored already. */
export async function knownEventIds(db: Db, provider: string, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
    const rows = await db
      .selectFrom('payment_event')
      .select('provider_event_id')
      .where('provider', '=', provider)
      .where('provider_event_id', 'in', ids.slice(at, at + IDS_PER_QUERY))
      .execute()
    for (const row of rows) known.add(row.provider_event_id)
  }
  return known
}

/** The body an event came with the first time; undefined once it has been erased. */
export async function findEventBody(
  db: Db,
  { provider, providerEventId }: Pick<BankEvent, 'provider' | 'providerEventId'>,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('payment_event as event')
    .innerJoin('payment_event_body as body', 'body.event_id', 'event.id')
    .select('body.raw')
    .where('event.provider', '=', provider)
    .where('event.provider_event_id', '=', providerEventId)
    .executeTakeFirst()
  return row?.raw
}

export type StoredEvent = { id: string; event: BankEvent }

/** What an event reports never changes, so no lock is needed. Undefined when there is none. */
export async function findStoredEvent(db: Db, id: string): Promise<StoredEvent | undefined> {
  const row = await db
    .selectFrom('payment_event as event')
    // The body may have been erased; what is left of the event then waits for a person.
    .leftJoin('payment_event_body as body', 'body.event_id', 'event.id')
    .select(['event.provider', 'event.provider_event_id as providerEventId', 'event.direction'])
    .select(['event.amount', 'event.account_number as accountNumber', 'event.bank_ref as bankRef'])
    .select(['event.booked_at as bookedAt', 'event.received_at', 'body.memo', 'body.full_text as fullText'])
    .select('body.code')
    .$narrowType<{ direction: 'in' | 'out' }>()
    .where('event.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { amount, received_at, ...stored } = row
  const event: BankEvent = {
    ...stored,
    amountVnd: parseCoins(amount),
    memo: stored.memo ?? '',
    fullText: stored.fullText ?? '',
    bookedAt: stored.bookedAt ?? received_at,
  }
  return { id, event }
}

/**
 * Locks an undecided event, with the next statement; then answers the database's clock, which all processes share, or
 * undefined when the event is decided, or locked by another process. Read before that statement was answered, it throws.
 */
export async function lockNewEventWithNext(tx: Tx, id: string): Promise<() => Date | undefined> {
  const lock = tx
    .selectFrom('payment_event as event')
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('event.id', '=', id)
    .where('event.status', '=', 'new')
    .forNoKeyUpdate('event')
    .skipLocked()
  const rows = await sendWithNext(tx, lock.compile())
  return () => rows()[0]?.now
}

/** The key of a bank transfer. */
export type TransferAtBank = Pick<BankEvent, 'accountNumber' | 'direction' | 'bankRef' | 'amountVnd'> & {
  bookedAt: Date | null
}

export type NewBankTransaction = {
  event: TransferAtBank
  state: 'review' | 'ignored'
  reason: string | null
  order?: Pick<LockedOrder, 'id' | 'userId'> | undefined
}

/**
 * Claims the transfer at the bank. Undefined when it is known already under its reference; a concurrent claim is
 * waited for.
 */
export async function insertBankTransaction(
  tx: Tx,
  { event, state, reason, order }: NewBankTransaction,
): Promise<string | undefined> {
  const row = await tx
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
    .onConflict((conflict) =>
      conflict
        .columns(['account_number', 'direction', 'bank_ref'])
        .where('bank_ref', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  // One without a reason is about to be credited.
  if (state === 'review' && reason !== null) notify(tx, 'operator_event', 'bank-transfers')
  return row?.id
}

export async function getBankTransactionByReference(
  tx: Tx,
  { accountNumber, direction, bankRef }: TransferAtBank,
): Promise<{ id: string; amountVnd: number; orderCode: string | null }> {
  const row = await tx
    .selectFrom('bank_transaction as known')
    .leftJoin('payment_order as paid', 'paid.id', 'known.order_id')
    .select(['known.id', 'known.amount as amountVnd', 'paid.code as orderCode'])
    .where('known.account_number', '=', accountNumber)
    .where('known.direction', '=', direction)
    .where('known.bank_ref', '=', bankRef)
    .executeTakeFirstOrThrow()
  return { ...row, amountVnd: parseCoins(row.amountVnd) }
}

/** The id of the next transfer at the bank, for the posting that is made before its row. */
export const nextTransferId = sql<string>`nextval('bank_transaction_id_seq')`

/** Whether a transfer at the bank is known under its reference. */
export const isReferenceKnown = ({ accountNumber, direction, bankRef }: TransferAtBank) => sql<boolean>`
  EXISTS (SELECT FROM bank_transaction AS known
    WHERE known.account_number = ${accountNumber} AND known.direction = ${direction} AND known.bank_ref = ${bankRef})`

/** The reference became known while it was decided about. */
export const isKnownByNow = (error: unknown): boolean =>
  (error as { constraint?: unknown } | null)?.constraint === 'bank_transaction_once'

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
  { order, notices }: { order: { id: string; userId: string }; notices: Parts },
): RawBuilder<unknown> {
  return sql`
    WITH ${named(notices)}, transfer AS (
      INSERT INTO bank_transaction
          (id, account_number, direction, bank_ref, amount, booked_at, order_id, user_id, state, credited, transfer_id)
        OVERRIDING SYSTEM VALUE
        VALUES (${credited.id}, ${event.accountNumber}, ${event.direction}, ${event.bankRef}, ${event.amountVnd},
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

/** Events left undecided, older than the grace given to the request that brought them; in order, after the id given. */
export async function listUndecidedEvents(
  db: Db,
  { afterId, limit, graceSeconds }: { afterId: string; limit: number; graceSeconds: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_event')
    .select('id')
    .where('status', '=', 'new')
    .where('received_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${graceSeconds})`)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
