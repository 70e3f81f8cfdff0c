import { getOrder, listChannels, listOrders, type RechargeOrder } from '#contract/recharge.ts'
import { laterOrder } from '#web/features/recharge/later-order.ts'
import { apiQuery } from '#web/query-client.ts'

const ORDERS_PER_PAGE = 10

export const channelsQuery = apiQuery(listChannels)

export const ordersQuery = (page: number) =>
  apiQuery(listOrders, { query: { page, items_per_page: ORDERS_PER_PAGE } })

/** The common key of all pages of the list: a change of one order may show on any of them. */
export const anyOrdersKey = ordersQuery(1).queryKey.slice(0, 2)

export const orderQuery = (code: string) => ({
  ...apiQuery(getOrder, { params: { code } }),
  structuralSharing: (known: unknown, read: unknown) =>
    laterOrder(known as RechargeOrder | undefined, read as RechargeOrder),
})
