import type { OperatorDelivery } from '#contract/operator/deliveries.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { isDeliveryId } from './deliveries.rules.ts'
import {
  countStoredDeliveries,
  findStoredDelivery,
  listStoredDeliveries,
  type DeliveryFilter,
  type StoredDelivery,
} from './operator.queries.ts'

export async function listOperatorDeliveries(
  db: Db,
  filter: DeliveryFilter,
  page: ListPage,
): Promise<ListRows<OperatorDelivery>> {
  const rows = await listStoredDeliveries(db, filter, page)
  return { total: await countStoredDeliveries(db, filter), rows: rows.map(describe) }
}

export async function getOperatorDelivery(db: Db, id: string): Promise<OperatorDelivery> {
  const delivery = isDeliveryId(id) ? await findStoredDelivery(db, id) : undefined
  if (!delivery) throw notFound()
  return describe(delivery)
}

const describe = (delivery: StoredDelivery): OperatorDelivery => ({
  ...delivery,
  amount: parseCoins(delivery.amount),
  next_attempt_at: delivery.next_attempt_at.toISOString(),
  created_at: delivery.created_at.toISOString(),
  settled_at: delivery.settled_at?.toISOString() ?? null,
})
