import { Link } from 'react-router'
import type { Delivery } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Badge } from '#ui/badge.tsx'
import { Coins } from '#ui/coins.tsx'
import { useRecentDeliveries } from '#web/features/exchange/delivery-watch.ts'
import { deliveryStates, exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { paths } from '#web/paths.ts'
import { useSession } from '#web/session/session-store.ts'
import { formatMoment } from '#web/shell/format.ts'

/** Where the last purchases stand. Before the first one there is nothing to say. */
export function RecentDeliveries({ boughtAt_ms }: { boughtAt_ms: number }) {
  const { status } = useSession()
  const { data } = useRecentDeliveries({ isPlayer: status === 'player', boughtAt_ms })
  const exchanges = data?.data.filter(({ kind }) => kind === 'exchange') ?? []
  if (status !== 'player' || exchanges.length === 0) return null
  return (
    <section aria-labelledby="deliveries-title">
      <h2 id="deliveries-title" className="mb-3 text-xl">
        {copy.deliveries}
      </h2>
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        {exchanges.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      <Link
        to={paths.transactions}
        className="inline-flex min-h-11 items-center font-bold text-vermilion hover:underline"
      >
        {copy.toStatement} →
      </Link>
    </section>
  )
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { label, tone } = deliveryStates[delivery.status]
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <strong>{copy.deliveryOf(formatNumber(luongOf(delivery)), delivery.character_name)}</strong>
        <span aria-live="polite">
          <Badge tone={tone}>{label}</Badge>
        </span>
      </div>
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-sm text-soft">
        {formatMoment(delivery.created_at)}
        <Coins className="text-sm">{formatNumber(delivery.amount)}</Coins>
      </p>
      {delivery.status === 'pending' && <p className="text-sm text-soft">{copy.waitingNote}</p>}
      {delivery.status === 'refunded' && <p className="text-sm text-soft">{copy.refundedNote}</p>}
    </li>
  )
}

function luongOf({ goods }: Delivery): number {
  return goods.reduce((sum, { kind, quantity }) => (kind === 'luong' ? sum + quantity : sum), 0)
}
