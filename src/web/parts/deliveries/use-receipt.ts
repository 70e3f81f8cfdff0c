import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isMissing } from '#client/call.ts'
import type { getDelivery, DeliveryReceipt } from '#contract/deliveries.ts'
import { laterReceipt } from '#web/parts/deliveries/delivery-moment.ts'
import { useDeliveryEvents, useDeliveryPolling } from '#web/parts/deliveries/delivery-watch.ts'
import { ownQuery } from '#web/query-client.ts'

export const receiptQuery = (id: string) => ({
  ...ownQuery<typeof getDelivery>('/user/deliveries/{id}', { params: { id } }),
  structuralSharing: (known: unknown, read: unknown) =>
    laterReceipt(known as DeliveryReceipt | undefined, read as DeliveryReceipt),
})

/**
 * The receipt of one purchase, read again until it is over: by events, else by looking again and again. `bought` is what is
 * known of it before it was read. Dialog and page have it from here, so that they show the same.
 */
export function useReceipt(id: string, bought?: DeliveryReceipt) {
  const [openedAt_ms] = useState(Date.now)
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
