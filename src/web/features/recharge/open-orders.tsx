import { useQuery } from '@tanstack/react-query'
import { OPEN_ORDERS_MAX, REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Alert } from '#ui/alert.tsx'
import { ordersQuery } from '#web/features/recharge/recharge.api.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'

export const isPending = ({ status }: RechargeOrder): boolean => status === 'pending'

/** A list with a pending order is read again: the order may be paid, or expire. */
export const listPollInterval = (orders: readonly RechargeOrder[] | undefined): number | false =>
  orders?.some(isPending) ? REFETCH_INTERVAL_MS : false

/** The orders that wait for their money. `isRead` is false until they are known, or could not be read once: what then comes reads again. */
export function usePendingOrders(): { pending: readonly RechargeOrder[]; isRead: boolean } {
  const { data, isFetched } = useQuery({
    ...ordersQuery(1),
    staleTime: 0,
    refetchInterval: ({ state }) => listPollInterval(state.data?.data),
  })
  return { pending: data?.data.filter(isPending) ?? [], isRead: isFetched }
}

/** Explains, before a call is refused, why no other order can be opened: those to pay or cancel are at the top. */
export function TooManyOrders({ id, count }: { id: string; count: number }) {
  if (count < OPEN_ORDERS_MAX) return null
  return (
    <div id={id}>
      <Alert tone="note">
        <strong>{copy.tooManyTitle(count)}</strong>
        <p>{copy.tooManyText}</p>
      </Alert>
    </div>
  )
}
