import type { QueryClient } from '@tanstack/react-query'
import { listOrders } from '#contract/recharge.ts'
import { isGranted } from '#web/pixel/consent.ts'
import { reportToPixelLater } from '#web/pixel/pixel.ts'
import { callOf } from '#web/query-client.ts'

const ORDERS_LOOKED_AT = 100

/** The advertiser's pixel hears of a player's first recharge only, and nothing but that there was one. */
export async function reportFirstRecharge(client: QueryClient): Promise<void> {
  if (!isGranted()) return
  try {
    const { data } = await callOf(client)(listOrders, { query: { items_per_page: ORDERS_LOOKED_AT } })
    if (data.filter(({ credited }) => credited > 0).length === 1) reportToPixelLater('Subscribe')
  } catch {
    // An advertiser's count is not worth an error to the player.
  }
}
