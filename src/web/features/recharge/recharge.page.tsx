import { useQuery } from '#web/use-query.ts'
import { pages } from '#contract/pages.ts'
import type { Page } from '#web/page.ts'
import { MilestonePlace } from '#web/parts/rewards/milestone-place.tsx'
import { OrderList } from '#web/features/recharge/order-list.tsx'
import { PendingOrders, usePendingOrders } from '#web/features/recharge/pending-orders.tsx'
import { FormSkeleton, RechargeForm } from '#web/features/recharge/recharge-form.tsx'
import { ordersQuery } from '#web/features/recharge/recharge.api.ts'
import { channelsQuery } from '#web/parts/recharge/channel.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'

function RechargePage() {
  const { isRead } = usePendingOrders()
  // The form reads them too, but is rendered after the orders: this starts both reads at once.
  useQuery(channelsQuery)
  return (
    <div className="shell-width pt-4 sm:pt-6">
      <h1 className="brush-title text-2xl sm:text-3xl">{pages.recharge.title}</h1>
      <p className="mt-2 mb-3 max-w-text text-soft lg:mt-1 lg:mb-2">{copy.lead}</p>
      <PendingOrders />
      {/* Mounted again when the orders above are known, so that they do not push it down. */}
      <div
        key={isRead ? 'read' : 'waiting'}
        className="grid grid-cols-1 items-start gap-x-10 gap-y-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]"
      >
        {isRead ? <RechargeForm /> : <FormSkeleton />}
        {isRead && (
          <div className="space-y-8">
            <OrderList />
            <MilestonePlace />
          </div>
        )}
      </div>
    </div>
  )
}

export const page: Page = {
  Component: RechargePage,
  queries: () => [channelsQuery, ordersQuery(1)],
}
