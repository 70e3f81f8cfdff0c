import type { ReactNode } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Badge } from '#ui/badge.tsx'
import { Coins } from '#ui/coins.tsx'
import { formatMoment } from '#web/shell/format.ts'
import { deliveryStates, purchaseCopy as copy } from '#web/shell/purchase.copy.ts'

/** One purchase and where it stands. */
export function DeliveryRow({ delivery, children }: { delivery: Delivery; children: ReactNode }) {
  const { label, tone } = deliveryStates[delivery.status]
  return (
    <>
      <div className="flex items-start justify-between gap-x-3">
        <strong className="min-w-0">{children}</strong>
        <span aria-live="polite" className="shrink-0">
          <Badge tone={tone}>
            <span className="inline-block first-letter:uppercase">{label}</span>
          </Badge>
        </span>
      </div>
      <p className="mt-1 flex flex-wrap items-center justify-between gap-x-3 text-sm text-soft">
        {formatMoment(delivery.created_at)}
        <Coins className="text-sm">{formatNumber(delivery.amount)}</Coins>
      </p>
      {delivery.status === 'pending' && <p className="text-sm text-soft">{copy.waitingNote}</p>}
      {delivery.status === 'refunded' && <p className="text-sm text-soft">{copy.refundedNote}</p>}
    </>
  )
}
