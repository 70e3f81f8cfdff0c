import type { RechargeOrder } from '#contract/recharge.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { orderStates } from '#web/features/recharge/recharge.copy.ts'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import type { Moment, MomentStep } from '#web/parts/moment/moment.ts'

type Watched = Pick<RechargeOrder, 'status' | 'credited' | 'payment'>

/** Where an order stands: what the live dialog and the order's page both show. */
export function momentOfOrder(order: Watched): Moment {
  const { title, text } = orderStates[order.status]
  const phase = phaseOf(order)
  return {
    phase,
    title,
    text,
    steps: stepsOf(phase, order),
    stamp: phase === 'done' ? copy.stamp : null,
  }
}

/** TCoin in the wallet are the end of it, whatever else is said of the order. */
function phaseOf({ status, credited }: Watched): 'waiting' | 'review' | 'done' | 'closed' {
  if (credited > 0) return 'done'
  if (status === 'review') return 'review'
  return status === 'pending' ? 'waiting' : 'closed'
}

function stepsOf(phase: ReturnType<typeof phaseOf>, { payment }: Watched): MomentStep[] {
  if (phase === 'waiting' || phase === 'closed') return []
  const arrived: MomentStep = {
    name: copy.moneyArrived,
    at: payment ? formatMoment(payment.arrived_at) : null,
    state: 'done',
  }
  if (phase === 'review') {
    return [
      arrived,
      { name: copy.staffLooks, at: null, state: 'now' },
      { name: copy.coinsAdded, at: null, state: 'later' },
    ]
  }
  const at = payment?.credited_at ? formatMoment(payment.credited_at) : null
  return [arrived, { name: copy.coinsAdded, at, state: 'done' }]
}
