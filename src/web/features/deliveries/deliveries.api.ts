import type { listDeliveries } from '#contract/deliveries.ts'
import { ownQuery } from '#web/query-client.ts'

const DELIVERIES_PER_PAGE = 20

export const deliveriesQuery = (page: number) =>
  ownQuery<typeof listDeliveries>('/user/deliveries', {
    query: { page, items_per_page: DELIVERIES_PER_PAGE },
  })
