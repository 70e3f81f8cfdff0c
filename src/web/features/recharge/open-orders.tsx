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
export const listPollInterval = (orders: readonly RechargeOrder[] | undefined): number | false =>
  orders?.some(({ status }) => status === 'pending') ? REFETCH_INTERVAL_MS : false

/** The pending orders when there are as many as allowed; none while another can be opened. */
export function useBlockingOrders(): readonly RechargeOrder[] {
  const { data } = useQuery({
    ...ordersQuery(1),
    staleTime: 0,
    refetchInterval: ({ state }) => listPollInterval(state.data?.data),
  })
  const open = data?.data.filter(({ status }) => status === 'pending') ?? []
  return open.length < OPEN_ORDERS_MAX ? [] : open
}

/** Explains, before a call is refused, why no other order can be opened, and lists the ones to pay or cancel. */
export function BlockingOrders({ id, orders }: { id: string; orders: readonly RechargeOrder[] }) {
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
