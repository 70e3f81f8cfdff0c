import { getDelivery, listDeliveries } from '#contract/deliveries.ts'
import { getOrder, listOrders } from '#contract/recharge.ts'
import type { QueryClient } from '#web/query-cache.ts'
import { refreshUser } from '#web/session/session-store.ts'

/** The balance in the header, and the orders and purchases that are shown. */
export async function readMoneyAgain(client: QueryClient): Promise<void> {
  for (const { path } of [listOrders, getOrder, listDeliveries, getDelivery])
    void client.invalidateQueries({ queryKey: ['mine', path] })
  await refreshUser({ isOfOtherTab: true })
}
