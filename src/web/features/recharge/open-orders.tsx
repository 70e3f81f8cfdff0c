import { useQuery } from '@tanstack/react-query'
import { OPEN_ORDERS_MAX, REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { formatNumber } from '#contract/format-number.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Alert } from '#ui/alert.tsx'
import { ordersQuery } from '#web/features/recharge/recharge.api.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/text-links.tsx'

/** A list with a pending order is read again: the order may be paid, or expire. */
export const nextListLook = (orders: readonly RechargeOrder[] | undefined): number | false =>
  orders?.some(({ status }) => status === 'pending') ? REFETCH_INTERVAL_MS : false

/** The orders that keep the player from opening another; none while there is room for one. */
export function useOrdersInTheWay(): readonly RechargeOrder[] {
  const { data } = useQuery({
    ...ordersQuery(1),
    staleTime: 0,
    refetchInterval: ({ state }) => nextListLook(state.data?.data),
  })
  const open = data?.data.filter(({ status }) => status === 'pending') ?? []
  return open.length < OPEN_ORDERS_MAX ? [] : open
}

/** Says before anything is refused why no other order can be opened, and which are to be paid or cancelled first. */
export function OrdersInTheWay({ id, orders }: { id: string; orders: readonly RechargeOrder[] }) {
  return (
    <div id={id}>
      <Alert tone="note">
        <strong>{copy.tooManyTitle(orders.length)}</strong>
        <p>{copy.tooManyText}</p>
        <ul className="mt-2">
          {orders.map(({ code, amount }) => (
            <li key={code}>
              <TextLink to={paths.order(code)}>{copy.openOrder(formatNumber(amount), code)}</TextLink>
            </li>
          ))}
        </ul>
      </Alert>
    </div>
  )
}
