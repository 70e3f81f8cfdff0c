import type { getOrder, listChannels, listOrders, RechargeOrder } from '#contract/recharge.ts'
import { laterOrder } from '#web/features/recharge/later-order.ts'
import { ownQuery } from '#web/query-client.ts'

const ORDERS_PER_PAGE = 10

export const channelsQuery = ownQuery<typeof listChannels>('/recharge/channels')

export const ordersQuery = (page: number) =>
  ownQuery<typeof listOrders>('/recharge/orders', { query: { page, items_per_page: ORDERS_PER_PAGE } })

/** The common key of all pages of the list: a change of one order may show on any of them. */
export const anyOrdersKey = ordersQuery(1).queryKey.slice(0, 2)

export const orderQuery = (code: string) => ({
  ...ownQuery<typeof getOrder>('/recharge/orders/{code}', { params: { code } }),
  structuralSharing: (known: unknown, read: unknown) =>
    laterOrder(known as RechargeOrder | undefined, read as RechargeOrder),
})
