import type { QueryClient } from '@tanstack/react-query'
import type { getDelivery, listDeliveries } from '#contract/deliveries.ts'
import type { getOrder, listOrders } from '#contract/recharge.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { ownKey } from '#web/query-client.ts'

/** The balance in the header, and the orders and purchases that are shown. */
export async function readMoneyAgain(client: QueryClient): Promise<void> {
  const changed = [
    ownKey<typeof listOrders>('/recharge/orders'),
    ownKey<typeof getOrder>('/recharge/orders/{code}'),
    ownKey<typeof listDeliveries>('/user/deliveries'),
    ownKey<typeof getDelivery>('/user/deliveries/{id}'),
  ]
  for (const queryKey of changed) void client.invalidateQueries({ queryKey })
  await refreshUser({ isOfOtherTab: true })
}
