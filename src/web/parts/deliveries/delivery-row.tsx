import type { ReactNode } from 'react'
import { Link } from '#web/navigation.tsx'
import { isFree, isUncollected, type Delivery, waitingText } from '#contract/deliveries.ts'
import { formatMoment, formatNumber } from '#contract/format.ts'
import { Coins } from '#ui/coins.tsx'
import { purchaseCopy as copy } from '#web/parts/purchase/purchase.copy.ts'
import { paths } from '#contract/pages.ts'
import { STATUS_NAMES, type TransactionStatus } from '#contract/transactions.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

/** One purchase and its state; the whole row is a link to its receipt. */
export function DeliveryRow({ delivery, children }: { delivery: Delivery; children: ReactNode }) {
  return (
    <div className="relative">
      <div className="flex flex-wrap items-start justify-between gap-x-3">
        <Link
          to={paths.deliveries(delivery.id)}
          className="min-w-0 flex-[1_1_8rem] font-bold wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          {children}
        </Link>
        <span aria-live="polite" className="shrink-0">
          {isFree(delivery.kind) && delivery.status === 'refunded' ? (
            <Badge tone="note">{delivery.kind === 'again' ? copy.notGiven : copy.notReceived}</Badge>
          ) : (
            <StatusBadge status={isUncollected(delivery) ? 'sent' : delivery.status} />
          )}
        </span>
      </div>
      <p className="mt-1 flex flex-wrap items-center justify-between gap-x-3 text-sm text-soft">
        <span>{formatMoment(delivery.created_at)}</span>
        {delivery.replaces === null ? (
          isFree(delivery.kind) ? (
            copy.free
          ) : (
            <Coins className="text-sm">{formatNumber(delivery.amount)}</Coins>
          )
        ) : (
          <Link to={paths.deliveries(delivery.replaces)} className="relative z-10 py-1 underline">
            {copy.oldReceipt}
          </Link>
        )}
      </p>
      {delivery.status === 'pending' && <p className="text-sm text-soft">{copy.waitingNote}</p>}
      {isUncollected(delivery) && <p className="text-sm text-soft">{waitingText(delivery.waiting)}</p>}
      {delivery.status === 'refunded' && !isFree(delivery.kind) && (
        <p className="text-sm text-soft">{copy.refundedNote}</p>
      )}
    </div>
  )
}

const tones: Record<TransactionStatus, BadgeTone> = {
  completed: 'success',
  pending: 'waiting',
  sent: 'waiting',
  delivered: 'success',
  refunded: 'note',
}

/** The state of a movement or a purchase. */
export function StatusBadge({ status }: { status: TransactionStatus }) {
  return <Badge tone={tones[status]}>{STATUS_NAMES[status]}</Badge>
}
