import { useParams } from '#web/navigation.tsx'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { LoadFailure } from '#web/parts/page-states/loaded.tsx'
import { BackLink } from '#web/parts/navigation/text-links.tsx'
import { OrderOutcome } from '#web/features/recharge/order-outcome.tsx'
import { OrderReceipt } from '#web/features/recharge/order-receipt.tsx'
import { OrderTicket } from '#web/features/recharge/order-ticket.tsx'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { useNow } from '#web/parts/time/use-now.ts'
import { useOrder } from '#web/features/recharge/use-order.ts'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'
import { NotFound } from '#web/parts/page-states/not-found.tsx'

function OrderPage() {
  const { code = '' } = useParams()
  const { order, error, isRefetchError, refetch, clockAhead_ms } = useOrder(code)
  if (!order && error) return isMissing(error) ? <NotFound /> : <LoadFailure onRetry={refetch} />
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.recharge}>{copy.back}</BackLink>
      <h1 className="brush-title mb-6 text-2xl sm:text-3xl">{copy.order(code)}</h1>
      {isRefetchError && (
        <p aria-live="polite" className="mb-4 text-soft">
          {copy.reconnecting}
        </p>
      )}
      {order ? <OrderInTime order={order} clockAhead_ms={clockAhead_ms} /> : <OrderSkeleton />}
    </div>
  )
}

/** An order whose time is up is shown as expired at once; the server stores that a little later. */
function OrderInTime({ order, clockAhead_ms }: { order: RechargeOrder; clockAhead_ms: number }) {
  const isPending = order.status === 'pending'
  const now_ms = useNow(isPending) + clockAhead_ms
  const isOver = isPending && now_ms >= Date.parse(order.expires_at)
  const shown: RechargeOrder = isOver ? { ...order, status: 'expired' } : order
  return (
    <>
      <OrderOutcome order={shown} />
      {shown.status === 'pending' ? (
        <OrderTicket order={shown} now_ms={now_ms} />
      ) : (
        <OrderReceipt order={shown} />
      )}
    </>
  )
}

function OrderSkeleton() {
  return (
    <div aria-busy="true" className="space-y-6">
      <Skeleton className="h-24 w-full" />
      <div className="grid gap-8 md:grid-cols-[20rem_minmax(0,1fr)]">
        <Skeleton className="mx-auto aspect-square w-full max-w-80" />
        <Skeleton className="h-80 w-full" />
      </div>
    </div>
  )
}

export const page: Page = {
  Component: OrderPage,
  queries: ({ code = '' }) => [orderQuery(code)],
  head: ({ params }) => ({ title: copy.order(params.code ?? '') }),
}
