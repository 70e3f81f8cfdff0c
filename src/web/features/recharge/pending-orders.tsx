import { paths } from '#contract/pages.ts'
import { formatNumber } from '#contract/format-number.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { buttonClass } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { CancelOrder } from '#web/features/recharge/cancel-order.tsx'
import { ChannelMark } from '#web/features/recharge/channel-mark.tsx'
import { clockText, timeLeft_ms } from '#web/features/recharge/countdown.ts'
import { usePendingOrders } from '#web/features/recharge/open-orders.tsx'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { Link } from '#web/navigation.tsx'
import { useNow } from '#web/parts/time/use-now.ts'

/** Orders that wait for their money, before anything else: most players come back for them. */
export function PendingOrders() {
  const { pending } = usePendingOrders()
  const now_ms = useNow(pending.length > 0)
  if (pending.length === 0) return null
  return (
    <Section title={copy.pendingOrders} className="mb-8">
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {pending.map((order) => (
          <PendingOrder key={order.code} order={order} now_ms={now_ms} />
        ))}
      </ul>
    </Section>
  )
}

function PendingOrder({ order, now_ms }: { order: RechargeOrder; now_ms: number }) {
  const { code, amount, channel } = order
  return (
    <li className="rounded-xl bg-raised p-4 shadow-card">
      <div className="mb-3 flex items-center gap-3">
        <ChannelMark channel={channel} />
        <div className="min-w-0 flex-1">
          <strong className="block text-lg leading-snug tabular-nums">{formatNumber(amount)} VND</strong>
          <span className="text-sm text-soft tabular-nums">{code}</span>
        </div>
        <span className="text-right text-sm text-soft">
          {copy.timeLeft}
          <strong className="block text-lg leading-snug text-ink tabular-nums">
            {clockText(timeLeft_ms(order, now_ms))}
          </strong>
        </span>
      </div>
      <Link to={paths.order(code)} className={buttonClass('main', 'min-h-12 w-full')}>
        {copy.goOnPaying}
        <span className="sr-only"> {code}</span>
      </Link>
      <CancelOrder code={code} className="mx-auto mt-1 -mb-2 flex! text-sm text-soft!" />
    </li>
  )
}
