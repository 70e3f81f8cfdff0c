import { STATUS_NAMES } from '#contract/transactions.ts'
import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { formatMoment } from '#contract/format.ts'
import type { Progress, ProgressStep } from '#web/parts/progress/progress.ts'

type Now = { title: string; text: string }

export const deliveryProgressCopy = {
  paid: 'Đã trừ',
  sending: 'Đang gửi',
  sent: 'Đã gửi',
  staff: 'Đội vận hành kiểm tra',
  arrived: 'Đã vào game',
  refused: 'Game không nhận',
  refunded: 'TCoin đã về ví',
  stamp: 'Đã vào game',
  balance: 'Số dư ví',
} as const

/** What a player reads about a purchase in each of its states, and what happens next. */
const phaseTexts = {
  sending: {
    title: STATUS_NAMES.pending,
    text: 'Thường chỉ mất vài giây. TCoin được giữ lại cho đến khi game xác nhận; bạn có thể đóng trang, món vẫn được giao.',
  },
  staff: {
    title: `${STATUS_NAMES.pending}, chờ đội vận hành kiểm tra`,
    text: 'Game chưa xác nhận nên đội vận hành đang kiểm tra. Món sẽ được giao, nếu không TCoin sẽ về ví. Bạn không cần mua lại.',
  },
  done: {
    title: STATUS_NAMES.delivered,
    text: 'Món đã vào game. Nếu chưa thấy, hãy thoát ra rồi vào lại nhân vật.',
  },
  refunded: {
    title: STATUS_NAMES.refunded,
    text: 'Game không nhận được món này nên TCoin đã về ví của bạn, đủ số đã trả. Bạn có thể mua lại.',
  },
} satisfies Record<string, Now>

type Watched = Pick<DeliveryReceipt, 'status' | 'is_with_staff' | 'created_at' | 'settled_at'>

/** The state of a purchase, as the live dialog and the receipt show it. */
export function deliveryProgress(receipt: Watched): Progress {
  const phase = phaseOf(receipt)
  const stamp = phase === 'done' ? deliveryProgressCopy.stamp : null
  return { phase, ...phaseTexts[phase], steps: stepsOf(phase, receipt), stamp }
}

function phaseOf({ status, is_with_staff }: Watched): 'sending' | 'staff' | 'done' | 'refunded' {
  if (status === 'delivered') return 'done'
  if (status === 'refunded') return 'refunded'
  return is_with_staff ? 'staff' : 'sending'
}

function stepsOf(phase: ReturnType<typeof phaseOf>, { created_at, settled_at }: Watched): ProgressStep[] {
  const paid: ProgressStep = { name: deliveryProgressCopy.paid, at: formatMoment(created_at), state: 'done' }
  const end = settled_at && formatMoment(settled_at)
  const later: ProgressStep = { name: deliveryProgressCopy.arrived, at: null, state: 'later' }
  switch (phase) {
    case 'sending':
      return [paid, { name: deliveryProgressCopy.sending, at: null, state: 'now' }, later]
    case 'staff':
      return [paid, { name: deliveryProgressCopy.staff, at: null, state: 'now' }, later]
    case 'done':
      return [
        paid,
        { name: deliveryProgressCopy.sent, at: null, state: 'done' },
        { name: deliveryProgressCopy.arrived, at: end, state: 'done' },
      ]
    case 'refunded':
      return [
        paid,
        { name: deliveryProgressCopy.refused, at: null, state: 'failed' },
        { name: deliveryProgressCopy.refunded, at: end, state: 'done' },
      ]
  }
}

/** Ignores an older answer that arrives late: a settled purchase does not become pending again. */
export function newerReceipt(known: DeliveryReceipt | undefined, read: DeliveryReceipt): DeliveryReceipt {
  const isStale = known?.id === read.id && known.status !== 'pending' && read.status === 'pending'
  return isStale ? known : read
}
