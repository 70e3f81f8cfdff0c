import { DELIVERY_STATES, type OperatorDelivery } from '#contract/operator/deliveries.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { assertWithinReach, wrongFilter, type ListRequest } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { isDeliveryId } from './deliveries.rules.ts'
import {
  countStoredDeliveries,
  findStoredDelivery,
  listStoredDeliveries,
  type DeliveryFilter,
  type StoredDelivery,
} from './operator.queries.ts'

export const DELIVERY_LIST = {
  sorts: ['created_at'],
  filters: ['state', 'open', 'user_id', 'older_than_seconds', 'id'],
} as const

const AGE_SECONDS_MAX = 10 * 366 * 86_400

export async function listOperatorDeliveries(
  db: Db,
  list: ListRequest,
): Promise<{ total: number; rows: OperatorDelivery[] }> {
  const filter = readFilter(list.filter)
  assertWithinReach(list)
  const rows = await listStoredDeliveries(db, filter, list)
  return { total: await countStoredDeliveries(db, filter), rows: rows.map(describe) }
}

export async function getOperatorDelivery(db: Db, id: string): Promise<OperatorDelivery> {
  const delivery = isDeliveryId(id) ? await findStoredDelivery(db, id) : undefined
  if (!delivery) throw notFound()
  return describe(delivery)
}

function readFilter({ state, open, user_id, older_than_seconds, id }: ListRequest['filter']): DeliveryFilter {
  const filter: DeliveryFilter = {}
  if (state !== undefined) {
    const known = DELIVERY_STATES.find((one) => one === state)
    if (!known) throw wrongFilter('state')
    filter.state = known
  }
  if (open !== undefined) {
    if (open !== true) throw wrongFilter('open')
    filter.isOpen = true
  }
  if (user_id !== undefined) {
    if (!/^[1-9]\d{0,17}$/.test(String(user_id))) throw wrongFilter('user_id')
    filter.userId = String(user_id)
  }
  if (older_than_seconds !== undefined) {
    const seconds = older_than_seconds
    const isAge = typeof seconds === 'number' && seconds >= 0 && seconds <= AGE_SECONDS_MAX
    if (!isAge) throw wrongFilter('older_than_seconds')
    filter.olderThanSeconds = seconds
  }
  if (id !== undefined) {
    filter.ids = (Array.isArray(id) ? id : [id]).map(String)
    if (!filter.ids.every(isDeliveryId)) throw wrongFilter('id')
  }
  return filter
}

const describe = (delivery: StoredDelivery): OperatorDelivery => ({
  ...delivery,
  amount: parseCoins(delivery.amount),
  next_attempt_at: delivery.next_attempt_at.toISOString(),
  created_at: delivery.created_at.toISOString(),
  settled_at: delivery.settled_at?.toISOString() ?? null,
})
