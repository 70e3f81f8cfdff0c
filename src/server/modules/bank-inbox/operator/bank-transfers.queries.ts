import { sql, type Insertable, type Updateable, type RawBuilder } from 'kysely'
import type { TransferState, BankTransfer, BankTransferDetail } from '#contract/operator/bank-transfers.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows, hasRows, allOf, beyond, countWithinReach } from '#server/platform/db/list.ts'
import { notify } from '#server/domain/notices.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'

export type LockedTransfer = NonNullable<Awaited<ReturnType<typeof lockTransfer>>>

/** Makes operators take turns on one transfer. */
export async function lockTransfer(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('bank_transaction')
    .select(['id', 'account_number as accountNumber', 'direction', 'amount', 'bank_ref as bankRef'])
    .select(['state', 'reason', 'order_id as orderId', 'user_id as userId', 'credited'])
    .select(['transfer_id as transferId', 'reversal_of as reversalOf', 'created_at as arrivedAt'])
    .select(sql<Date>`coalesce(booked_at, created_at)`.as('bookedAt'))
    .select(
      sql<string | null>`(SELECT code FROM payment_order WHERE id = bank_transaction.order_id)`.as(
        'orderCode',
      ),
    )
    .$narrowType<{ direction: 'in' | 'out'; state: TransferState }>()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { ...row, amount: parseCoins(row.amount), credited: parseCoins(row.credited) }
}

/** How often a credit of a transfer was reversed. Only to be trusted under its lock. */
export async function countReversals(tx: Tx, transferId: string): Promise<number> {
  return countRows(tx.selectFrom('credit_reversal').where('bank_transaction_id', '=', transferId))
}

export async function updateTransfer(
  tx: Tx,
  id: string,
  changes: Updateable<DB['bank_transaction']>,
): Promise<void> {
  await tx.updateTable('bank_transaction').set(changes).where('id', '=', id).execute()
  if (changes.state === 'review') notify(tx, 'operator_event', 'bank-transfers')
}

export async function isReversed(tx: Tx, originalId: string): Promise<boolean> {
  return hasRows(tx.selectFrom('bank_transaction').where('reversal_of', '=', originalId))
}

/**
 * The payment events of a transfer get its state. One that contradicts it, by another amount, stays for
 * an operator to look at.
 */
export async function markEventsOf(
  tx: Tx,
  transferId: string,
  { status, reason }: { status: 'applied' | 'ignored'; reason: string | null },
): Promise<void> {
  await tx
    .updateTable('payment_event')
    .set({ status, reason })
    .where('bank_transaction_id', '=', transferId)
    .where('status', 'in', ['review', 'ignored'])
    .where((where) => where.or([where('reason', 'is', null), where('reason', '<>', 'reference-conflict')]))
    .execute()
}

type Act = Omit<Insertable<DB['bank_transfer_act']>, 'details'> & { details: Record<string, unknown> }

export async function insertAct(tx: Tx, { details, ...act }: Act): Promise<void> {
  await tx
    .insertInto('bank_transfer_act')
    .values({ ...act, details: JSON.stringify(details) })
    .execute()
}

/** What is left out, or undefined, does not matter. */
export type TransferFilter = {
  ids?: string[] | undefined
  state?: TransferState | undefined
  reason?: string | undefined
  direction?: 'in' | 'out' | undefined
  accounts?: string[] | undefined
  amount?: number | undefined
  from?: Date | undefined
  before?: Date | undefined
  orderId?: string | undefined
  userId?: string | undefined
  reference?: string | undefined
  isWaiting?: boolean | undefined
}

/** Each condition but the direction has an index; lists are read along it in the order of arrival. */
function matching(filter: TransferFilter): RawBuilder<boolean> {
  const { ids, state, reason, direction, accounts, amount, from, before, orderId, userId, reference } = filter
  return allOf([
    ids === undefined ? null : sql`b.id = ANY (${ids}::bigint[])`,
    state === undefined ? null : sql`b.state = ${state}`,
    reason === undefined ? null : sql`b.reason = ${reason}`,
    direction === undefined ? null : sql`b.direction = ${direction}`,
    accounts === undefined ? null : sql`b.account_number = ANY (${accounts}::text[])`,
    amount === undefined ? null : sql`b.amount = ${amount}::bigint`,
    from === undefined ? null : sql`b.created_at >= ${from}`,
    before === undefined ? null : sql`b.created_at < ${before}`,
    orderId === undefined ? null : sql`b.order_id = ${orderId}::bigint`,
    userId === undefined ? null : sql`b.user_id = ${userId}::bigint`,
    reference === undefined ? null : sql`b.bank_ref = ${reference}`,
    filter.isWaiting
      ? sql`b.id IN (SELECT subject::bigint FROM proposal WHERE kind = 'bank-transfer' AND state = 'waiting')`
      : null,
  ])
}

/** A transfer as operators see it, but for what is not in the database. */
export type StoredTransfer = Omit<BankTransfer, 'channel' | 'reason_text'>

/**
 * Whether a payment event reports the transfer it is linked to. One with its bank reference and another amount or order is
 * linked to it as well, and reports another transfer.
 */
export const isOwnEvent = (event: 'event' | 'e') =>
  sql.raw<boolean>(
    `(${event}.reason IS DISTINCT FROM 'reference-conflict' AND ${event}.reason IS DISTINCT FROM 'dismissed-notice')`,
  )

/** What the payer wrote, from the first event about the transfer `b`. */
export const memoOfTransfer = sql<string | null>`(
  SELECT body.memo FROM payment_event e JOIN payment_event_body body ON body.event_id = e.id
   WHERE e.bank_transaction_id = b.id AND ${isOwnEvent('e')} ORDER BY e.id LIMIT 1)`

/** The one proposal that waits, as JSON. */
const waiting = sql`(
  SELECT json_build_object('id', p.id::text, 'act', p.payload ->> 'act', 'order_code', o.code,
      'user', CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id::text, 'username', u.username) END,
      'coins', p.payload -> 'coins', 'amount', p.payload -> 'amount', 'reason', p.reason,
      'kind', p.kind, 'proposed_by', json_build_object('id', proposer.id::text, 'username', proposer.username),
      'proposed_at', p.proposed_at)
    FROM proposal p
    LEFT JOIN users u ON u.id = (p.payload ->> 'user_id')::bigint
    JOIN users proposer ON proposer.id = p.proposed_by
    LEFT JOIN payment_order o ON o.id = (p.payload ->> 'order_id')::bigint
   WHERE p.kind = 'bank-transfer' AND p.subject = b.id::text AND p.state = 'waiting')`

const hasFailedRefund = sql`(b.state = 'review' AND coalesce((
  SELECT refund.state = 'failed' FROM gateway_refund refund
   WHERE refund.bank_transaction_id = b.id ORDER BY refund.id DESC LIMIT 1), false))`

type Unparsed = 'amount' | 'credited' | 'booked_at' | 'created_at'

type Raw = Omit<StoredTransfer, Unparsed> & {
  amount: string
  credited: string
  booked_at: Date | null
  created_at: Date
}

const toTransfer = (row: Raw): StoredTransfer => ({
  ...row,
  amount: parseCoins(row.amount),
  credited: parseCoins(row.credited),
  booked_at: row.booked_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  waiting: row.waiting && {
    ...row.waiting,
    coins: parseCoins(row.waiting.coins),
    amount: row.waiting.amount === null ? null : parseCoins(row.waiting.amount),
    proposed_at: new Date(row.waiting.proposed_at).toISOString(),
  },
})

/** Behind one row, in the order of arrival. */
function behind(order: ListPage['order'], after: string | undefined): RawBuilder<boolean> {
  if (after === undefined) return sql<boolean>`true`
  const mark = sql`((SELECT created_at FROM bank_transaction WHERE id = ${after}::bigint), ${after}::bigint)`
  return sql<boolean>`(b.created_at, b.id) ${beyond(order)} ${mark}`
}

/** The page is found by its ids, mostly in an index alone; what explains a transfer is joined to its rows only. */
export async function listStoredTransfers(
  db: Db | Tx,
  filter: TransferFilter,
  { order, from, to, after }: ListPage,
): Promise<StoredTransfer[]> {
  const direction = sql.raw(order)
  const { rows } = await sql<Raw>`
    WITH page AS MATERIALIZED (
      SELECT b.id FROM bank_transaction b WHERE ${matching(filter)} AND ${behind(order, after)}
       ORDER BY b.created_at ${direction}, b.id ${direction} OFFSET ${from} LIMIT ${to - from + 1})
    SELECT b.id, b.account_number, b.direction, b.amount, b.bank_ref, b.booked_at, b.created_at, b.state, b.reason,
        b.credited, o.code AS order_code, b.reversal_of,
        CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id::text, 'username', u.username) END AS "user",
        ${memoOfTransfer} AS memo,
        ARRAY(SELECT DISTINCT e.provider FROM payment_event e
          WHERE e.bank_transaction_id = b.id AND ${isOwnEvent('e')} ORDER BY e.provider) AS providers,
        ${waiting} AS waiting, ${hasFailedRefund} AS has_failed_refund
      FROM page JOIN bank_transaction b ON b.id = page.id
      LEFT JOIN users u ON u.id = b.user_id
      LEFT JOIN payment_order o ON o.id = b.order_id
     ORDER BY b.created_at ${direction}, b.id ${direction}`.execute(db)
  return rows.map(toTransfer)
}

export async function countStoredTransfers(db: Db, filter: TransferFilter): Promise<number> {
  return countWithinReach(db, db.selectFrom('bank_transaction as b').where(matching(filter)))
}

export async function hasReference(db: Db, reference: string): Promise<boolean> {
  return hasRows(db.selectFrom('bank_transaction').where('bank_ref', '=', reference))
}

const ROWS_OF_ONE_MAX = 50

/** Of each transfer the payment events with its reference, oldest first, and whether each is about it. */
export async function listEventsOf(db: Db, transferIds: readonly string[]) {
  const events = db
    .selectFrom('payment_event as event')
    .leftJoin('payment_event_body as body', 'body.event_id', 'event.id')
    .select([
      'event.id',
      'event.provider',
      'event.provider_event_id',
      'event.signature',
      'event.status',
      'event.reason',
      'event.amount',
      'event.received_at',
      'body.memo',
      'body.full_text',
      'body.code',
      isOwnEvent('event').as('isOwn'),
    ])
    .$narrowType<Pick<BankTransferDetail['events'][number], 'signature'>>()
    .where('event.bank_transaction_id', '=', sql<string>`asked.id`)
    .orderBy('event.id')
    .limit(ROWS_OF_ONE_MAX)
  return db
    .selectFrom(sql<{ id: string }>`unnest(${transferIds}::bigint[])`.as<'asked'>(sql`asked (id)`))
    .innerJoinLateral(events.as('reported'), (join) => join.onTrue())
    .select('asked.id as transferId')
    .selectAll('reported')
    .orderBy('reported.id')
    .execute()
}

/** What operators did with a transfer, the first first. */
export async function listActsOf(db: Db, transferId: string) {
  return db
    .selectFrom('bank_transfer_act as act')
    .innerJoin('users', 'users.id', 'act.operator_id')
    .select(['act.act', 'act.operator_id', 'users.username', 'act.reason', 'act.details', 'act.created_at'])
    .where('act.bank_transaction_id', '=', transferId)
    .orderBy('act.id')
    .limit(ROWS_OF_ONE_MAX)
    .execute()
}

/** Stores the reversal and the new state of the transfer and its payment events. */
export async function markCreditReversed(
  tx: Tx,
  reversal: Insertable<DB['credit_reversal']> & { bank_transaction_id: string },
  { state, reason }: { state: 'review' | 'refunded'; reason: string },
): Promise<void> {
  const transferId = reversal.bank_transaction_id
  await tx.insertInto('credit_reversal').values(reversal).execute()
  await updateTransfer(tx, transferId, { state, reason, credited: 0, transfer_id: null })
  await tx
    .updateTable('payment_event')
    .set({ status: state === 'review' ? 'review' : 'ignored', reason })
    .where('bank_transaction_id', '=', transferId)
    .where('status', '=', 'applied')
    .execute()
}

/** VND of the transfers about which something waits, and TCoin in the wallet that it is about. */
export async function selectProposedTransfers(
  db: Db | Tx,
  ids: readonly string[],
): Promise<Map<string, { amount: number; balance: number | null }>> {
  const { rows } = await sql<{ id: string; amount: string; balance: string | null }>`
    SELECT t.id, t.amount, wallet.balance
      FROM bank_transaction t
      LEFT JOIN proposal p ON p.kind = 'bank-transfer' AND p.subject = t.id::text AND p.state = 'waiting'
      LEFT JOIN users ON users.id = (p.payload ->> 'user_id')::bigint
      LEFT JOIN ledger_account wallet ON wallet.id = users.wallet_account_id
     WHERE t.id = ANY (${ids}::bigint[])`.execute(db)
  return new Map(
    rows.map(({ id, amount, balance }) => [
      id,
      { amount: parseCoins(amount), balance: balance === null ? null : parseCoins(balance) },
    ]),
  )
}
