import { listOrders } from '#contract/recharge.ts'
import { apiQuery } from '#web/query-client.ts'

const NEWEST_COUNT = 20

/** The newest orders; at most three of them can be open. */
export const newestOrdersQuery = apiQuery(listOrders, { query: { page: 1, items_per_page: NEWEST_COUNT } })
