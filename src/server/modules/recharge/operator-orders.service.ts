import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorOrder, operatorRechargeOrders } from '#contract/operator/recharge-orders.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { countStoredOrders, listStoredOrders } from './operator-orders.queries.ts'

type Given = NonNullable<QueryOf<typeof operatorRechargeOrders.list>['filter']>

/** Orders in the order they were made, which is that of their ids. */
export async function listOperatorOrders(
  db: Db,
  { user, ...given }: Given,
  page: ListPage,
): Promise<ListRows<OperatorOrder>> {
  const player = user === undefined ? undefined : await findTraderByUsername(db, user)
  if (user !== undefined && player === undefined) return { total: 0, rows: [] }
  const filter = { ...given, userId: player?.id }
  return { rows: await listStoredOrders(db, filter, page), total: await countStoredOrders(db, filter) }
}

export async function getOperatorOrder(db: Db, code: string): Promise<OperatorOrder> {
  const [order] = await listStoredOrders(db, { code }, { order: 'asc', from: 0, to: 0 })
  if (order === undefined) throw notFound()
  return order
}
