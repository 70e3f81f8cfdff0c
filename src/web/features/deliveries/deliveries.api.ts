import { listDeliveries } from '#contract/deliveries.ts'
import { apiQuery } from '#web/query-client.ts'

const DELIVERIES_PER_PAGE = 20

export const deliveriesQuery = (page: number) =>
  apiQuery(listDeliveries, { query: { page, items_per_page: DELIVERIES_PER_PAGE } })
