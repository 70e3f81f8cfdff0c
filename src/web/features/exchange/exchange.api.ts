import { listDeliveries } from '#contract/deliveries.ts'
import { getExchange } from '#contract/exchange.ts'
import { apiQuery } from '#web/query-client.ts'

const RECENT_COUNT = 5

/**
 * Amounts and characters. The same call answers visitors and players, so the answer is kept by who asked: what the
 * server rendered for everybody must not stand in for a player's characters.
 */
export function exchangeQuery(playerId: string | null) {
  const query = apiQuery(getExchange, {}, { isPersonal: true })
  return { ...query, queryKey: [...query.queryKey, playerId] }
}

export const recentDeliveriesQuery = apiQuery(listDeliveries, {
  query: { page: 1, items_per_page: RECENT_COUNT },
})
