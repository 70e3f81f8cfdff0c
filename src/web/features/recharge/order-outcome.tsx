import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { ClaimLink } from '#web/features/recharge/claim-link.tsx'
import { missingOf, momentOfOrder } from '#web/features/recharge/order-moment.ts'
import { OrderScene } from '#web/features/recharge/order-scene.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { paths } from '#contract/pages.ts'
import { rechargeOf } from '#web/parts/amounts/missing-coins.tsx'
import { ShareMoment } from '#web/parts/moment/share-moment.tsx'
import { useOutcomeFocus } from '#web/parts/moment/use-outcome-focus.ts'
import { useSession } from '#web/session/session-store.ts'

const icons: Record<RechargeOrder['status'], IconName> = {
  pending: 'clock',
  paid: 'check',
  paid_under: 'warning',
  paid_over: 'check',
  expired: 'clock',
  cancelled: 'close',
  review: 'warning',
}

/**
 * What has become of the order: what happened, what the player has now, and what to do next. `isNews` where it happened while
 * the page was open: then it takes the focus.
 */
export function OrderOutcome({ order, isNews = false }: { order: RechargeOrder; isNews?: boolean }) {
  const moment = momentOfOrder(order)
  const heading = useOutcomeFocus(isNews)
  const icon = icons[order.status]
  const tint = icon === 'check' ? 'border-leaf bg-leaf-wash' : 'border-line-strong bg-sunken'
  return (
    <div className={`rounded-xl border-l-4 p-4 sm:p-5 ${tint}`}>
      {/* What takes the focus is read out by that alone. */}
      <div aria-live={isNews ? 'off' : 'polite'} className="flex items-start gap-3">
        <Icon name={icon} className="mt-0.5 size-6" />
        <div className="min-w-0">
          <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
            {moment.title}
          </h2>
          <p className="text-[0.9375rem]">{moment.text}</p>
        </div>
      </div>
      <div className="mt-4 empty:hidden">
        <OrderScene order={order} moment={moment} isCounting={isNews} />
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        {order.credited > 0 ? <AfterCredit order={order} isNews={isNews} /> : <WithoutCredit order={order} />}
      </div>
    </div>
  )
}

/** First what is still to do about this order, then what TCoin are for. */
function AfterCredit({ order, isNews }: { order: RechargeOrder; isNews: boolean }) {
  const { user } = useSession()
  const missing = missingOf(order)
  return (
    <>
      {missing > 0 && (
        <Link to={rechargeOf(missing, 1)} className={buttonClass('main', 'max-sm:flex-1')}>
          {copy.payMissing(formatNumber(missing))}
        </Link>
      )}
      <Link to={paths.exchange} className={buttonClass(missing > 0 ? 'plain' : 'main', 'max-sm:flex-1')}>
        {copy.toExchange}
      </Link>
      <Link to={paths.transactions} className={buttonClass('plain', 'max-sm:flex-1')}>
        {copy.toStatement}
      </Link>
      {isNews && missing === 0 && (
        <ShareMoment
          picture={{
            portrait: '/images/tcoin.svg',
            name: user?.server_name ?? '',
            figure: `+${formatNumber(order.credited)} TCoin`,
            stamp: copy.stamp,
          }}
          className="max-sm:flex-1"
        />
      )}
    </>
  )
}

function WithoutCredit({ order: { code, status } }: { order: RechargeOrder }) {
  return (
    <>
      <Link
        to={paths.recharge}
        className={buttonClass(status === 'review' ? 'plain' : 'main', 'max-sm:flex-1')}
      >
        {copy.newOrder}
      </Link>
      <ClaimLink orderCode={code} />
    </>
  )
}
