import type { QueryOf } from '#contract/endpoint.ts'
import { sql } from 'kysely'
import type { ListedRefund, operatorGatewayRefunds } from '#contract/operator/gateway-refunds.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { ListPage } from '#server/platform/http/list.ts'

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
  { order, from, to, after }: ListPage,
): Promise<ListedRefund[]> {
  const page = matching(db, filter)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`refund.id ${beyond(order)} ${after}::bigint`),
    )
    .select('refund.id')
    .orderBy('refund.id', order)
    .offset(from)
    .limit(to - from + 1)
  const rows = await db
    .selectFrom('gateway_refund as refund')
    .innerJoin('bank_transaction as transfer', 'transfer.id', 'refund.bank_transaction_id')
    .innerJoin('users as asker', 'asker.id', 'refund.asked_by')
    .leftJoin('payment_order as placed', 'placed.id', 'transfer.order_id')
    .leftJoin('users as player', 'player.id', 'transfer.user_id')
    .selectAll('refund')
    .select(['asker.username as asker', 'placed.code', 'transfer.user_id', 'player.username as player'])
    .$narrowType<Pick<ListedRefund, 'state'>>()
    .where('refund.id', 'in', page)
    .orderBy('refund.id', order)
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
