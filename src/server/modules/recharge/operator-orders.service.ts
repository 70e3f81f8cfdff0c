import type { OperatorOrder } from '#contract/operator/recharge-orders.ts'
import { ORDER_STATUSES } from '#contract/recharge.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { assertWithinReach, type ListRequest, wrongFilter } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import {
  countStoredOrders,
  listStoredOrders,
  type OrderFilter,
  type StoredOperatorOrder,
} from './operator-orders.queries.ts'

export const ORDER_LIST = {
  sorts: ['id', 'created_at'],
  filters: ['status', 'channel', 'user', 'code', 'amount'],
} as const

/** Orders in the order they were made, which is that of their ids. */
export async function listOperatorOrders(
  db: Db,
  list: ListRequest,
): Promise<{ total: number; rows: OperatorOrder[] }> {
  assertWithinReach(list)
  const filter = await readFilter(db, list.filter)
  if (filter === null) return { total: 0, rows: [] }
  const rows = await listStoredOrders(db, filter, { order: list.order, from: list.from, to: list.to })
  return { total: await countStoredOrders(db, filter), rows: rows.map(describe) }
}

/** Null when it names somebody there is not. */
async function readFilter(db: Db, given: ListRequest['filter']): Promise<OrderFilter | null> {
  const { status, channel, user, code, amount } = given
  const filter: OrderFilter = {}
  if (status !== undefined) {
    if (!(ORDER_STATUSES as readonly unknown[]).includes(status)) throw wrongFilter('status')
    filter.status = status as string
  }
  if (channel !== undefined) {
    if (![1, 2, 3].includes(channel as number)) throw wrongFilter('channel')
    filter.channel = channel as number
  }
  if (code !== undefined) {
    if (typeof code !== 'string' || code.length > 32) throw wrongFilter('code')
    filter.code = code.trim().toUpperCase()
  }
  if (amount !== undefined) {
    if (!Number.isSafeInteger(amount) || (amount as number) < 1) throw wrongFilter('amount')
    filter.amount = amount as number
  }
  if (user === undefined) return filter
  if (typeof user !== 'string' || user.length > 20) throw wrongFilter('user')
  const player = await findTraderByUsername(db, user)
  return player ? { ...filter, userId: player.id } : null
}

export async function getOperatorOrder(db: Db, code: string): Promise<OperatorOrder> {
  const [order] = await listStoredOrders(db, { code }, { order: 'asc', from: 0, to: 0 })
  if (order === undefined) throw notFound()
  return describe(order)
}

const describe = (order: StoredOperatorOrder): OperatorOrder => ({
  id: order.code,
  code: order.code,
  user: { id: order.userId, username: order.username },
  channel: order.channel,
  amount: order.amount,
  rate: order.rate,
  credited: order.credited,
  status: order.status,
  account_number: order.accountNumber,
  created_at: order.createdAt.toISOString(),
  expires_at: order.expiresAt.toISOString(),
  paid_at: order.paidAt?.toISOString() ?? null,
})
