import logo from '../../../../public/images/logo.svg'
import { Link, useParams } from '#web/navigation.tsx'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { LoadFailure, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { BackLink } from '#web/parts/navigation/links.tsx'
import { ReportLink } from '#web/parts/navigation/report-link.tsx'
import { OrderOutcome, OrderReceipt } from '#web/features/recharge/order-outcome.tsx'
import { OrderTicket } from '#web/features/recharge/order-ticket.tsx'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { useNoticesSeen } from '#web/parts/notices/notices.api.ts'
import { useNow } from '#web/parts/time/use-now.ts'
import { useOrder } from '#web/features/recharge/use-order.ts'
import type { Page } from '#web/page.ts'
import { progressCopy } from '#web/parts/progress/progress.ts'
import { pages, paths } from '#contract/pages.ts'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

function OrderPage() {
  const { code = '' } = useParams()
  const { order, error, isLost, isNew, refetch } = useOrder(code)
  return (
    <div className="shell-width pt-1 pb-8 md:pt-4">
      <FocusBar />
      {isLost && (
        <p aria-live="polite" className="mb-2 text-sm text-soft">
          {progressCopy.lost}
        </p>
      )}
      {order ? (
        <OrderInTime order={order} isNew={isNew} />
      ) : !error ? (
        <OrderSkeleton />
      ) : isMissing(error) ? (
        <NotFound />
      ) : (
        <>
          <h1 className="sr-only">{copy.order(code)}</h1>
          <LoadFailure onRetry={refetch} />
        </>
      )}
    </div>
  )
}

/** In place of the frame: the link back, and the logo. */
function FocusBar() {
  return (
    <div className="focus-bar mb-1.5 flex items-center justify-between gap-4 md:mb-6">
      <BackLink to={paths.recharge}>{pages.recharge.title}</BackLink>
      <Link to={paths.home} className="py-1.5">
        <img src={logo} width={540} height={170} alt={siteNameOf(useSettings())} className="h-8 w-auto" />
      </Link>
    </div>
  )
}

type InTimeProps = { order: RechargeOrder; isNew: boolean }

/** An order whose time is up is shown as expired at once; the server stores that a little later. */
function OrderInTime({ order, isNew }: InTimeProps) {
  useNoticesSeen(paths.order(order.code))
  const isPending = order.status === 'pending'
  const now_ms = useNow(isPending)
  const isOver = isPending && now_ms >= Date.parse(order.expires_at)
  const shown: RechargeOrder = isOver ? { ...order, status: 'expired' } : order
  if (shown.status === 'pending') return <OrderTicket order={shown} now_ms={now_ms} />
  return (
    <div className="mx-auto max-w-2xl">
      <h1 className="brush-title mb-6 text-2xl sm:text-3xl">{copy.order(shown.code)}</h1>
      <OrderOutcome order={shown} isNew={isNew} />
      <OrderReceipt order={shown} />
      <div className="mt-4">
        <ReportLink kind="order" id={shown.code} />
      </div>
    </div>
  )
}

function OrderSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-x-12 gap-y-7 md:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="mx-auto w-full max-w-80 space-y-2.5">
        <Skeleton className="h-9 w-full" />
        <Skeleton className="qr-picture mx-auto" />
        <Skeleton className="h-12 w-full" />
      </div>
      <Skeleton className="h-80 w-full" />
    </div>
  )
}

export const page: Page = {
  Component: OrderPage,
  queries: ({ code = '' }) => [orderQuery(code)],
  head: ({ params }) => ({ title: copy.order(params.code ?? '') }),
}
