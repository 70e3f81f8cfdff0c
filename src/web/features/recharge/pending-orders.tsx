import { useQuery } from '#web/use-query.ts'
import { paths } from '#contract/pages.ts'
import { formatNumber } from '#contract/format.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Section } from '#ui/section.tsx'
import { CancelOrder } from '#web/features/recharge/order-actions.tsx'
import { ChannelMark } from '#web/features/recharge/channels.tsx'
import { timeLeft_ms } from '#web/features/recharge/countdown.ts'
import { minutesText } from '#web/parts/time/clock-text.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { Link } from '#web/navigation.tsx'
import { useNow } from '#web/parts/time/use-now.ts'
import { OPEN_ORDERS_MAX, REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { Alert } from '#ui/alert.tsx'
import { ordersQuery } from '#web/features/recharge/recharge.api.ts'

/** Orders that wait for their money, at the top of the page: most players come back for them. */
export function PendingOrders() {
  const { pending } = usePendingOrders()
  const now_ms = useNow(pending.length > 0)
  if (pending.length === 0) return null
  return (
    <Section title={copy.pendingOrders} titleClass="mb-1 text-sm" className="mb-4">
      <ul className="divide-y divide-line rounded-xl bg-raised shadow-card lg:max-w-xl">
        {pending.map((order) => (
          <PendingOrder key={order.code} order={order} now_ms={now_ms} />
        ))}
      </ul>
    </Section>
  )
}

/** One line, so that the form below stays on the first screen. */
function PendingOrder({ order, now_ms }: { order: RechargeOrder; now_ms: number }) {
  const { code, amount, channel } = order
  return (
    <li className="flex items-center">
      <Link
        to={paths.order(code)}
        className="flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-2 rounded-xl px-3 py-1 no-underline hover:bg-sunken"
      >
        <ChannelMark channel={channel} className="h-6 w-9" />
        <strong translate="no" className="whitespace-nowrap tabular-nums">
          {formatNumber(amount)} VND
        </strong>
        <span className="text-sm whitespace-nowrap text-soft tabular-nums">
          <span className="max-sm:sr-only">{copy.timeLeft} </span>
          <span translate="no">{minutesText(timeLeft_ms(order, now_ms))}</span>
        </span>
        <span className="ml-auto text-sm font-bold whitespace-nowrap text-vermilion">
          <span className="max-sm:sr-only">{copy.goOnPaying}</span>
          <span aria-hidden="true" className="sm:hidden">
            {copy.pay}
          </span>
          <span className="sr-only"> {code}</span>
          <span aria-hidden="true" className="max-sm:hidden">
            {' '}
            →
          </span>
        </span>
      </Link>
      <CancelOrder code={code} className="ml-0! px-2 text-sm text-soft!" />
    </li>
  )
}

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
