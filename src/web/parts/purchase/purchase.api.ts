import type { listDeliveries } from '#contract/deliveries.ts'
import type { getExchange } from '#contract/exchange.ts'
import { ownQuery } from '#web/query-client.ts'

/** As many as one account may reasonably look back on; a gift bought long ago is found among them. */
const RECENT_COUNT = 20

/**
 * Amounts and characters. The same call answers visitors and players, so the answer is cached per player: what the
 * server rendered for everybody must not be taken for a player's characters.
 */
export function exchangeQuery(playerId: string | null) {
  const query = ownQuery<typeof getExchange>('/exchange')
  return { ...query, queryKey: [...query.queryKey, playerId] }
}

export const recentDeliveriesQuery = ownQuery<typeof listDeliveries>('/user/deliveries', {
  query: { page: 1, items_per_page: RECENT_COUNT },
})
