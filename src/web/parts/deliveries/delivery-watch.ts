import { serverNow } from '#client/server-clock.ts'
import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import {
  DELIVERY_EVENTS_PATH,
  isUncollected,
  type getDelivery,
  type listDeliveries,
  type Delivery,
  type DeliveryReceipt,
} from '#contract/deliveries.ts'
import { newerAnswer } from '#client/answer-age.ts'
import { addressOf, isMissing } from '#client/call.ts'
import { followOwnEvents } from '#web/parts/live/own-events.ts'
import { recentDeliveriesQuery } from '#web/parts/purchase/own-characters.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { newerReceipt } from '#web/parts/deliveries/delivery-progress.ts'
import { ownKey, ownQuery } from '#web/query-client.ts'

/** Most deliveries take a second or two: the first polls come quickly, then one every ten seconds. */
const FIRST_POLLS_MS = [1_000, 2_000, 4_000]

/** How long to wait before the next poll, `since_ms` after the youngest open delivery was bought. */
export function nextPoll_ms(since_ms: number): number {
  let reached_ms = 0
  for (const poll_ms of FIRST_POLLS_MS) {
    reached_ms += poll_ms
    if (since_ms < reached_ms) return poll_ms
  }
  return REFETCH_INTERVAL_MS
}

type Polling = {
  /** How long to wait before purchases are read again; false when nothing can change or the event stream is open. */
  next_ms: (deliveries: readonly Delivery[] | undefined) => number | false
  onStreaming: (isStreaming: boolean) => void
}

/** When to poll, counted from the last purchase or from the opening of the page. */
export function useDeliveryPolling(from_ms: number): Polling {
  const [isStreaming, setStreaming] = useState(false)
  return {
    next_ms: (deliveries) =>
      !isStreaming && deliveries?.some(isOpen) ? nextPoll_ms(serverNow() - from_ms) : false,
    onStreaming: setStreaming,
  }
}

/** While one of the purchases shown is not with its character, they are read again at each event of the server's stream. */
export function useDeliveryEvents(
  deliveries: readonly Delivery[] | undefined,
  { onStreaming }: Polling,
): void {
  const client = useQueryClient()
  const isAwaited = deliveries?.some(isOpen) ?? false
  useEffect(() => {
    if (!isAwaited) return
    const leaving = new AbortController()
    const readAgain = () => {
      void client.invalidateQueries({ queryKey: ownKey<typeof listDeliveries>('/user/deliveries') })
      void client.invalidateQueries({ queryKey: ownKey<typeof getDelivery>('/user/deliveries/{id}') })
    }
    void followOwnEvents(addressOf(DELIVERY_EVENTS_PATH), {
      signal: leaving.signal,
      handlers: { onEvent: readAgain, onStreaming },
    })
    return () => {
      leaving.abort()
      onStreaming(false)
    }
  }, [client, isAwaited, onStreaming])
  useBalanceOnRefund(deliveries)
}

/** The player's last purchases, updated while one of them is pending. */
export function useRecentDeliveries({ isPlayer, boughtAt_ms }: { isPlayer: boolean; boughtAt_ms: number }) {
  const polling = useDeliveryPolling(boughtAt_ms)
  const query = useQuery({
    ...recentDeliveriesQuery,
    enabled: isPlayer,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => polling.next_ms(state.data?.data),
  })
  useDeliveryEvents(query.data?.data, polling)
  return query
}

const isOpen = (delivery: Delivery) => delivery.status === 'pending' || isUncollected(delivery)

/** A refund that happens while the page is open shows in the header at once. */
function useBalanceOnRefund(deliveries: readonly Delivery[] | undefined): void {
  const open = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!deliveries) return
    if (deliveries.some(({ id, status }) => status === 'refunded' && open.current.has(id))) void refreshUser()
    open.current = new Set(deliveries.filter(isOpen).map(({ id }) => id))
  }, [deliveries])
}

export const receiptQuery = (id: string) => ({
  ...ownQuery<typeof getDelivery>('/user/deliveries/{id}', { params: { id } }),
  structuralSharing: (known: unknown, read: unknown) =>
    newerAnswer(known, newerReceipt(known as DeliveryReceipt | undefined, read as DeliveryReceipt)),
})

/**
 * The receipt of one purchase, read again until it is over: by events, else by polling. `bought` is what is
 * known of it before the first read. Dialog and page share it, so that they show the same.
 */
export function useReceipt(id: string, bought?: DeliveryReceipt) {
  const [openedAt_ms] = useState(serverNow)
  const polling = useDeliveryPolling(openedAt_ms)
  const { data, error, fetchStatus, refetch } = useQuery({
    ...receiptQuery(id),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => polling.next_ms(watched(state.data ?? bought)),
  })
  const receipt = data ?? bought
  useDeliveryEvents(watched(receipt), polling)
  const isLost = fetchStatus === 'paused' || (error !== null && !isMissing(error))
  return { receipt, error, isLost, refetch }
}

const watched = (receipt: DeliveryReceipt | undefined) => receipt && [receipt]
