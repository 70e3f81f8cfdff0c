import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import type { Delivery } from '#contract/deliveries.ts'
import { recentDeliveriesQuery } from '#web/shell/purchase.api.ts'
import { refreshUser } from '#web/session/session-store.ts'

/** Most deliveries take a second or two: the first looks come quickly, then every ten seconds. */
const FIRST_LOOKS_MS = [1_000, 2_000, 4_000]

/** How long to wait for the next look, `since_ms` after the youngest open delivery was bought. */
export function nextLook_ms(since_ms: number): number {
  let reached_ms = 0
  for (const look_ms of FIRST_LOOKS_MS) {
    reached_ms += look_ms
    if (since_ms < reached_ms) return look_ms
  }
  return REFETCH_INTERVAL_MS
}

/** When to look at purchases again: while one of them is on its way, else never. */
export function nextLookAt(deliveries: readonly Delivery[] | undefined, since_ms: number): number | false {
  return deliveries?.some(isOpen) ? nextLook_ms(since_ms) : false
}

/** The player's last purchases, looked at again while one of them is on its way. */
export function useRecentDeliveries({ isPlayer, boughtAt_ms }: { isPlayer: boolean; boughtAt_ms: number }) {
  const query = useQuery({
    ...recentDeliveriesQuery,
    enabled: isPlayer,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => nextLookAt(state.data?.data, Date.now() - boughtAt_ms),
  })
  useBalanceOnRefund(query.data?.data)
  return query
}

const isOpen = ({ status }: Delivery) => status === 'pending'

/** A refund that happens while the page is open shows in the header at once. */
export function useBalanceOnRefund(deliveries: readonly Delivery[] | undefined): void {
  const open = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!deliveries) return
    if (deliveries.some(({ id, status }) => status === 'refunded' && open.current.has(id))) void refreshUser()
    open.current = new Set(deliveries.filter(isOpen).map(({ id }) => id))
  }, [deliveries])
}
