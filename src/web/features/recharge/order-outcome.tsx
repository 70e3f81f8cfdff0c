import { Link } from '#web/navigation.tsx'
import type { RechargeOrder } from '#contract/recharge.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { ClaimLink } from '#web/features/recharge/claim-link.tsx'
import { momentOfOrder } from '#web/features/recharge/order-moment.ts'
import { OrderScene } from '#web/features/recharge/order-scene.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { paths } from '#contract/pages.ts'

const icons: Record<RechargeOrder['status'], IconName> = {
  pending: 'clock',
  paid: 'check',
  paid_under: 'check',
  paid_over: 'check',
  expired: 'clock',
  cancelled: 'close',
  review: 'warning',
}

/** The state of the order, announced to screen readers when it changes, and the links to go on from it. */
export function OrderOutcome({ order }: { order: RechargeOrder }) {
  const moment = momentOfOrder(order)
  const icon = icons[order.status]
  const tint = icon === 'check' ? 'border-leaf bg-leaf-wash' : 'border-line-strong bg-sunken'
  const isCredited = order.credited > 0
  return (
    <div className={`rounded-xl border-l-4 p-4 sm:p-5 ${tint}`}>
      <div aria-live="polite" className="flex items-start gap-3">
        <Icon name={icon} className="mt-0.5 size-6" />
        <div className="min-w-0">
          <h2 className="text-lg">{moment.title}</h2>
          <p className="text-[0.9375rem]">{moment.text}</p>
        </div>
      </div>
      <div className="mt-4 empty:hidden">
        <OrderScene order={order} moment={moment} isCounting={false} />
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        {isCredited ? (
          <>
            <Link to={paths.exchange} className={buttonClass('main', 'max-sm:flex-1')}>
              {copy.toExchange}
            </Link>
            <Link to={paths.transactions} className={buttonClass('plain', 'max-sm:flex-1')}>
              {copy.toStatement}
            </Link>
          </>
        ) : (
          <>
            <Link
              to={paths.recharge}
              className={buttonClass(order.status === 'review' ? 'plain' : 'main', 'max-sm:flex-1')}
            >
              {copy.newOrder}
            </Link>
            <ClaimLink orderCode={order.code} />
          </>
        )}
      </div>
    </div>
  )
}
