import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { DELIVERY_EVENTS_PATH, getDelivery, listDeliveries, type Delivery } from '#contract/deliveries.ts'
import { addressOf } from '#web/call.ts'
import { followEvents } from '#web/parts/live/follow-events.ts'
import { recentDeliveriesQuery } from '#web/parts/purchase/purchase.api.ts'
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

type Looks = {
  /** How long to wait before purchases are looked at again; false when nothing can change or news come by themselves. */
  next_ms: (deliveries: readonly Delivery[] | undefined) => number | false
  onStreaming: (isStreaming: boolean) => void
}

/** When to look at purchases again, counted from when the youngest was bought or the page opened. */
export function useDeliveryLooks(from_ms: number): Looks {
  const [isStreaming, setStreaming] = useState(false)
  return {
    next_ms: (deliveries) =>
      !isStreaming && deliveries?.some(isOpen) ? nextLook_ms(Date.now() - from_ms) : false,
    onStreaming: setStreaming,
  }
}

/** While one of the purchases shown is on its way, they are read anew whenever the server tells of a change. */
export function useDeliveryNews(deliveries: readonly Delivery[] | undefined, { onStreaming }: Looks): void {
  const client = useQueryClient()
  const isAwaited = deliveries?.some(isOpen) ?? false
  useEffect(() => {
    if (!isAwaited) return
    const leaving = new AbortController()
    const readAnew = () => {
      for (const { path } of [listDeliveries, getDelivery]) {
        void client.invalidateQueries({ queryKey: ['mine', path] })
      }
    }
    void followEvents(addressOf(DELIVERY_EVENTS_PATH), {
      signal: leaving.signal,
      followed: { onEvent: readAnew, onStreaming },
    })
    return () => {
      leaving.abort()
      onStreaming(false)
    }
  }, [client, isAwaited, onStreaming])
  useBalanceOnRefund(deliveries)
}

/** The player's last purchases, kept up to date while one of them is on its way. */
export function useRecentDeliveries({ isPlayer, boughtAt_ms }: { isPlayer: boolean; boughtAt_ms: number }) {
  const looks = useDeliveryLooks(boughtAt_ms)
  const query = useQuery({
    ...recentDeliveriesQuery,
    enabled: isPlayer,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => looks.next_ms(state.data?.data),
  })
  useDeliveryNews(query.data?.data, looks)
  return query
}

const isOpen = ({ status }: Delivery) => status === 'pending'

/** A refund that happens while the page is open shows in the header at once. */
function useBalanceOnRefund(deliveries: readonly Delivery[] | undefined): void {
  const open = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!deliveries) return
    if (deliveries.some(({ id, status }) => status === 'refunded' && open.current.has(id))) void refreshUser()
    open.current = new Set(deliveries.filter(isOpen).map(({ id }) => id))
  }, [deliveries])
}
