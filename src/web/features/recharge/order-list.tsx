import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { Link } from '#web/navigation.tsx'
import { formatMoment, formatNumber } from '#contract/format.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Badge } from '#ui/badge.tsx'
import { Coins } from '#ui/coins.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Section } from '#ui/section.tsx'
import { Skeletons } from '#ui/skeleton.tsx'
import { isPending, listPollInterval } from '#web/features/recharge/pending-orders.tsx'
import { ClaimLink } from '#web/features/recharge/order-actions.tsx'
import { ordersQuery } from '#web/features/recharge/recharge.api.ts'
import { orderStates, rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { paths } from '#contract/pages.ts'
import { PagedList, usePageInAddress } from '#web/parts/lists/paged-list.tsx'

/** The player's orders, the newest first; the page shown is in the address. */
export function OrderList() {
  const { page, turn } = usePageInAddress()
  const query = useQuery({
    ...ordersQuery(page),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => listPollInterval(state.data?.data),
  })
  return (
    <Section title={copy.orders}>
      <PagedList
        query={query}
        page={page}
        onTurn={turn}
        skeleton={<Skeletons count={3} each="h-24 w-full" className="space-y-2" />}
        empty={<PageState picture="empty" title={copy.noOrders} />}
      >
        {(orders) => (
          // Those that wait for their money are at the top of the page.
          <ul className="divide-y divide-line rounded-xl bg-raised">
            {orders
              .filter((order) => !isPending(order))
              .map((order) => (
                <OrderRow key={order.code} order={order} />
              ))}
          </ul>
        )}
      </PagedList>
      <p className="mt-4">
        <ClaimLink />
      </p>
    </Section>
  )
}

function OrderRow({ order }: { order: RechargeOrder }) {
  const { label, tone } = orderStates[order.status]
  return (
    <li className="relative space-y-1 px-4 py-3 hover:bg-sunken">
      <div className="flex items-start justify-between gap-x-4">
        <Link to={paths.order(order.code)} className="font-bold after:absolute after:inset-0">
          {formatNumber(order.amount)} VND
        </Link>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="text-sm text-soft">
        {order.bank_name} · {formatMoment(order.created_at)}
      </p>
      <p className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-soft tabular-nums">
        {order.code}
        {order.credited > 0 && <Coins className="text-sm">{`+${formatNumber(order.credited)}`}</Coins>}
      </p>
    </li>
  )
}
