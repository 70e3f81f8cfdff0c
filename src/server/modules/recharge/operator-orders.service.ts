import type { OperatorOrder, OperatorOrderDetail } from '#contract/operator/recharge-orders.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import {
  countStoredOrders,
  findStoredOrder,
  findStoredOrderId,
  listStoredOrders,
  type GivenFilter,
} from './operator-orders.queries.ts'

/** Orders in the order they were made, which is that of their ids. */
export async function listOperatorOrders(
  db: Db,
  { user, ...given }: GivenFilter,
  page: ListPage,
): Promise<ListRows<OperatorOrder>> {
  const player = user === undefined ? undefined : await findTraderByUsername(db, user)
  if (user !== undefined && player === undefined) return { total: 0, rows: [] }
  const filter = { ...given, userId: player?.id }
  return { rows: await listStoredOrders(db, filter, page), total: () => countStoredOrders(db, filter) }
}

export async function getOperatorOrder(db: Db, code: string): Promise<OperatorOrderDetail> {
  const order = await findStoredOrder(db, code)
  if (order === undefined) throw notFound()
  return order
}

/** An order's id by its code, as it is written. */
export const findOrderId = (db: Db, code: string): Promise<string | undefined> => findStoredOrderId(db, code)
