import type { getOrder, listOrders, RechargeOrder } from '#contract/recharge.ts'
import { newerAnswer } from '#client/answer-age.ts'
import { ownQuery } from '#web/query-client.ts'

const ORDERS_PER_PAGE = 10

export const ordersQuery = (page: number) =>
  ownQuery<typeof listOrders>('/recharge/orders', { query: { page, items_per_page: ORDERS_PER_PAGE } })

/** The common key of all pages of the list: a change of one order may show on any of them. */
export const anyOrdersKey = ordersQuery(1).queryKey.slice(0, 2)

export const orderQuery = (code: string) => ({
  ...ownQuery<typeof getOrder>('/recharge/orders/{code}', { params: { code } }),
  structuralSharing: (known: unknown, read: unknown) =>
    newerAnswer(known, newerOrder(known as RechargeOrder | undefined, read as RechargeOrder)),
})

/** Ignores an older answer that arrives late: credited TCoin do not decrease, and what was bought or not stays so. */
export function newerOrder(known: RechargeOrder | undefined, read: RechargeOrder): RechargeOrder {
  if (known?.code !== read.code) return read
  const isOlder = read.credited < known.credited || (isWaiting(read) && !isWaiting(known))
  return isOlder ? known : read
}

const isWaiting = ({ purchase }: RechargeOrder): boolean => purchase?.state === 'waiting'
