import { type Insertable, sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type {
  GatewayRefund,
  ListedRefund,
  operatorGatewayRefunds,
} from '#contract/operator/gateway-refunds.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { QUERY_DELAY_SECONDS_MAX } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue, secondsSince } from '#server/platform/db/due.ts'
import { countWithinReach, hasRows, pageById } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { listDueOf } from '#server/platform/queues/due-rows.ts'

export type StoredRefund = ReturnType<typeof toRefund>

const refunds = (db: Db | Tx) =>
  db
    .selectFrom('gateway_refund as refund')
    .innerJoin('bank_transaction as transfer', 'transfer.id', 'refund.bank_transaction_id')
    .innerJoin('users', 'users.id', 'refund.asked_by')
    .select(['refund.id', 'refund.bank_transaction_id as transferId', 'refund.refund_order as refundOrder'])
    // MoMo's number of the payment.
    .select('transfer.bank_ref as transId')
    .select(['refund.amount', 'refund.state', 'refund.result_code as resultCode', 'refund.reason'])
    .select(['refund.asked_by', 'users.username', 'refund.asked_at as askedAt'])
    .select(['refund.decided_at as decidedAt', 'refund.queries'])
    .select(secondsSince(sql`refund.asked_at`).as('ageSeconds'))
    .$narrowType<{ state: GatewayRefund['state']; transId: string }>()

type Row = Awaited<ReturnType<ReturnType<typeof refunds>['executeTakeFirstOrThrow']>>

const toRefund = ({ asked_by, username, ...row }: Row) => ({
  ...row,
  amount: parseCoins(row.amount),
  askedBy: { id: asked_by, username },
})

export async function getRefund(db: Db | Tx, id: string): Promise<StoredRefund> {
  return toRefund(await refunds(db).where('refund.id', '=', id).executeTakeFirstOrThrow())
}

const ROWS_OF_ONE_MAX = 50

/** What was to go back of one transfer, the last first. */
export async function listRefundsOf(db: Db, transferId: string): Promise<StoredRefund[]> {
  const rows = await refunds(db)
    .where('refund.bank_transaction_id', '=', transferId)
    .orderBy('refund.id', 'desc')
    .limit(ROWS_OF_ONE_MAX)
    .execute()
  return rows.map(toRefund)
}

/** VND that went back, and how much more is requested. Only to be trusted under the transfer's lock. */
export async function sumRefunds(tx: Tx, transferId: string): Promise<{ done: number; requested: number }> {
  const row = await tx
    .selectFrom('gateway_refund')
    .select([
      sql<string>`coalesce(sum(amount) FILTER (WHERE state = 'done'), 0)`.as('done'),
      sql<string>`coalesce(sum(amount) FILTER (WHERE state = 'asked'), 0)`.as('requested'),
    ])
    .where('bank_transaction_id', '=', transferId)
    .executeTakeFirstOrThrow()
  return { done: parseCoins(row.done), requested: parseCoins(row.requested) }
}

/** Whether a transfer was reported by MoMo. */
export async function isFromMomo(tx: Tx, transferId: string): Promise<boolean> {
  const events = tx.selectFrom('payment_event').where('bank_transaction_id', '=', transferId)
  return hasRows(events.where('provider', '=', 'momo'))
}

type NewRefund = Omit<Insertable<DB['gateway_refund']>, 'next_query_at'> & { delaySeconds: number }

export async function insertRefund(tx: Tx, { delaySeconds, ...refund }: NewRefund): Promise<string> {
  const { id } = await tx
    .insertInto('gateway_refund')
    .values({ ...refund, next_query_at: inSeconds(delaySeconds) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type RefundDecision =
  | { state: 'done'; providerRef: string; resultCode: null }
  | { state: 'failed'; providerRef: null; resultCode: number | null }

const inSeconds = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`

/** Answers whether it was still open. */
export async function decideRefund(
  tx: Tx,
  id: string,
  { state, providerRef, resultCode }: RefundDecision,
): Promise<boolean> {
  const decided = await tx
    .updateTable('gateway_refund')
    .set({
      state,
      provider_ref: providerRef,
      result_code: resultCode,
      decided_at: sql<Date>`clock_timestamp()`,
      next_query_at: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .executeTakeFirst()
  return decided.numUpdatedRows === 1n
}

/** Refunds whose status is due to be queried. */
export const listDueRefunds = listDueOf({
  id: 'gateway_refund.id',
  from: sql`gateway_refund`,
  isDue: isDue(sql`next_query_at`, QUERY_DELAY_SECONDS_MAX),
  order: sql`next_query_at`,
})

/** Leases one that is due; false when another worker has it. No other queries it until the lease ends. */
export async function claimDueRefund(db: Db, id: string, leaseSeconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE gateway_refund
       SET next_query_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}), queries = queries + 1
     WHERE id = ${id}::bigint AND ${isDue(sql`next_query_at`, QUERY_DELAY_SECONDS_MAX)}`.execute(db)
  return numAffectedRows === 1n
}

export async function scheduleRefund(
  db: Db,
  { id, delaySeconds }: { id: string; delaySeconds: number },
): Promise<void> {
  await db
    .updateTable('gateway_refund')
    .set({ next_query_at: inSeconds(delaySeconds) })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .execute()
}

type GivenFilter = NonNullable<QueryOf<typeof operatorGatewayRefunds.list>['filter']>

export type RefundFilter = Omit<GivenFilter, 'asked_by'> & { askedBy?: string | undefined }

const matching = (db: Db, { id, state, bank_transfer_id, askedBy }: RefundFilter) =>
  db
    .selectFrom('gateway_refund as refund')
    .$if(id !== undefined, (query) => query.where('refund.id', 'in', id as string[]))
    .$if(state !== undefined, (query) => query.where('refund.state', '=', state as string))
    .$if(bank_transfer_id !== undefined, (query) =>
      query.where('refund.bank_transaction_id', '=', bank_transfer_id as string),
    )
    .$if(askedBy !== undefined, (query) => query.where('refund.asked_by', '=', askedBy as string))

export async function listStoredRefunds(
  db: Db,
  filter: RefundFilter,
  page: ListPage,
): Promise<ListedRefund[]> {
  const ids = pageById(matching(db, filter).select('refund.id'), 'refund.id', page)
  const rows = await db
    .selectFrom('gateway_refund as refund')
    .innerJoin('bank_transaction as transfer', 'transfer.id', 'refund.bank_transaction_id')
    .innerJoin('users as asker', 'asker.id', 'refund.asked_by')
    .leftJoin('payment_order as placed', 'placed.id', 'transfer.order_id')
    .leftJoin('users as player', 'player.id', 'transfer.user_id')
    .selectAll('refund')
    .select(['asker.username as asker', 'placed.code', 'transfer.user_id', 'player.username as player'])
    .$narrowType<Pick<ListedRefund, 'state'>>()
    .where('refund.id', 'in', ids)
    .orderBy('refund.id', page.order)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    bank_transfer_id: row.bank_transaction_id,
    refund_order: row.refund_order,
    amount: parseCoins(row.amount),
    state: row.state,
    result_code: row.result_code,
    asked_by: { id: row.asked_by, username: row.asker },
    reason: row.reason,
    asked_at: row.asked_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    order_code: row.code,
    user: row.user_id === null || row.player === null ? null : { id: row.user_id, username: row.player },
  }))
}

export async function countStoredRefunds(db: Db, filter: RefundFilter): Promise<number> {
  return countWithinReach(db, matching(db, filter))
}
