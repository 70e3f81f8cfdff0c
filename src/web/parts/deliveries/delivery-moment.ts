import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { formatMoment } from '#contract/format.ts'
import { deliveryMomentCopy as copy, deliveryNows } from '#web/parts/deliveries/delivery-moment.copy.ts'
import type { Moment, MomentStep } from '#web/parts/moment/moment.ts'

type Watched = Pick<DeliveryReceipt, 'status' | 'is_with_staff' | 'created_at' | 'settled_at'>

/** Where a purchase stands: what the live dialog and the receipt both show. */
export function momentOfDelivery(receipt: Watched): Moment {
  const phase = phaseOf(receipt)
  const stamp = phase === 'done' ? copy.stamp : null
  return { phase, ...deliveryNows[phase], steps: stepsOf(phase, receipt), stamp }
}

function phaseOf({ status, is_with_staff }: Watched): 'sending' | 'staff' | 'done' | 'refunded' {
  if (status === 'delivered') return 'done'
  if (status === 'refunded') return 'refunded'
  return is_with_staff ? 'staff' : 'sending'
}

function stepsOf(phase: ReturnType<typeof phaseOf>, { created_at, settled_at }: Watched): MomentStep[] {
  const paid: MomentStep = { name: copy.paid, at: formatMoment(created_at), state: 'done' }
  const end = settled_at && formatMoment(settled_at)
  const later: MomentStep = { name: copy.arrived, at: null, state: 'later' }
  switch (phase) {
    case 'sending':
      return [paid, { name: copy.sending, at: null, state: 'now' }, later]
    case 'staff':
      return [paid, { name: copy.staff, at: null, state: 'now' }, later]
    case 'done':
      return [
        paid,
        { name: copy.sent, at: null, state: 'done' },
        { name: copy.arrived, at: end, state: 'done' },
      ]
    case 'refunded':
      return [
        paid,
        { name: copy.refused, at: null, state: 'failed' },
        { name: copy.refunded, at: end, state: 'done' },
      ]
  }
}

/** An answer that was on its way while a later one came: what is over does not begin again. */
export function laterReceipt(known: DeliveryReceipt | undefined, read: DeliveryReceipt): DeliveryReceipt {
  const isStale = known?.id === read.id && known.status !== 'pending' && read.status === 'pending'
  return isStale ? known : read
}
