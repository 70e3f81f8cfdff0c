import type { OrderPurchase, RechargeOrder } from '#contract/recharge.ts'
import { formatMoment, formatNumber } from '#contract/format.ts'
import { orderCopy as copy, orderStateTexts } from '#web/features/recharge/order.copy.ts'
import type { Progress, ProgressStep } from '#web/parts/progress/progress.ts'

type Watched = Pick<RechargeOrder, 'status' | 'amount' | 'credited' | 'payment' | 'purchase'>

/** What has not arrived of an order that was paid in part, in VND. */
export const missingOf = ({ status, amount, payment }: Watched): number =>
  status === 'paid_under' && payment ? amount - payment.amount : 0

/** The state of an order. */
export function orderProgress(order: Watched): Progress {
  const { title, text } = orderStateTexts[order.status]
  const phase = phaseOf(order)
  const missing = missingOf(order)
  return {
    phase,
    title,
    text: missing > 0 ? copy.missing(formatNumber(missing)) + text : text,
    steps: stepsOf(phase, order),
    stamp: phase === 'done' ? copy.stamp : null,
  }
}

/** An order with credited TCoin is done, whatever its status. */
function phaseOf({ status, credited }: Watched): 'waiting' | 'review' | 'partial' | 'done' | 'closed' {
  if (status === 'paid_under') return 'partial'
  if (credited > 0) return 'done'
  if (status === 'review') return 'review'
  return status === 'pending' ? 'waiting' : 'closed'
}

function stepsOf(phase: ReturnType<typeof phaseOf>, { payment, purchase }: Watched): ProgressStep[] {
  if (phase === 'waiting' || phase === 'closed') return []
  const arrived: ProgressStep = {
    name: copy.moneyArrived,
    at: payment ? formatMoment(payment.arrived_at) : null,
    state: 'done',
  }
  const goods = purchase ? [goodsStep(purchase)] : []
  if (phase === 'review') {
    return [
      arrived,
      { name: copy.staffChecks, at: null, state: 'now' },
      { name: copy.coinsAdded, at: null, state: 'later' },
      ...goods.map((step): ProgressStep => ({ ...step, state: step.state === 'now' ? 'later' : step.state })),
    ]
  }
  const at = payment?.credited_at ? formatMoment(payment.credited_at) : null
  return [arrived, { name: copy.coinsAdded, at, state: 'done' }, ...goods]
}

/** The step of an order that buys luong: on its way until the game has it. */
function goodsStep({ state, delivery }: OrderPurchase): ProgressStep {
  if (state === 'not-bought') return { name: copy.goodsRefused, at: null, state: 'failed' }
  if (delivery?.status === 'refunded') return { name: copy.goodsRefunded, at: null, state: 'failed' }
  return { name: copy.goods, at: null, state: delivery?.status === 'delivered' ? 'done' : 'now' }
}
