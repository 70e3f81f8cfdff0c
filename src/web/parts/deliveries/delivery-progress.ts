import { waitingText } from '#contract/deliveries.ts'
import { STATUS_NAMES } from '#contract/transactions.ts'
import { type DeliveryKind, isFree, isUncollected, type DeliveryReceipt } from '#contract/deliveries.ts'
import { formatMoment } from '#contract/format.ts'
import type { Progress, ProgressStep } from '#web/parts/progress/progress.ts'

type Now = { title: string; text: string }

export const deliveryProgressCopy = {
  paid: 'Đã trừ',
  again: 'Giao lại',
  reward: 'Được tặng',
  sending: 'Đang gửi',
  sent: 'Đã gửi',
  inGame: 'Đã gửi vào game',
  collected: 'Đã vào nhân vật',
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
  sent: { title: 'Đã gửi vào game', text: waitingText(null) },
  collected: { title: 'Đã vào nhân vật', text: 'Món đã vào nhân vật. Chúc bạn chơi vui!' },
  done: {
    title: STATUS_NAMES.delivered,
    text: 'Món đã vào game. Nếu chưa thấy, hãy thoát ra rồi vào lại nhân vật.',
  },
  refunded: {
    title: STATUS_NAMES.refunded,
    text: 'Game không nhận được món này nên TCoin đã về ví của bạn, đủ số đã trả. Bạn có thể mua lại.',
  },
} satisfies Record<string, Now>

const AGAIN = 'Game được đưa về bản cũ nên đã mất món này. Bạn không trả thêm TCoin.'

/** Of goods that are given again, for which no TCoin were taken and none come back. */
const againTexts: Partial<Record<Phase, Now>> = {
  sending: { title: 'Đang giao lại', text: `${AGAIN} Bạn có thể đóng trang, món vẫn được giao.` },
  staff: { title: 'Đang giao lại, chờ đội vận hành kiểm tra', text: AGAIN },
  refunded: {
    title: 'Không giao lại',
    text: 'Game đã có lại món này, hoặc không nhận thêm lần nữa. Bạn không trả TCoin nào cho lần giao lại.',
  },
}

/** Of rewards, which cost nothing. */
const rewardTexts: Partial<Record<Phase, Now>> = {
  sending: {
    title: STATUS_NAMES.pending,
    text: 'Thường chỉ mất vài giây. Bạn có thể đóng trang, quà vẫn được giao.',
  },
  staff: {
    title: `${STATUS_NAMES.pending}, chờ đội vận hành kiểm tra`,
    text: 'Game chưa xác nhận nên đội vận hành đang kiểm tra. Nếu quà không giao được, bạn nhận lại được ở nơi đã nhận.',
  },
  refunded: {
    title: 'Chưa nhận được quà',
    text: 'Game không nhận được món quà này. Bạn nhận lại được ở nơi đã nhận, không mất TCoin nào.',
  },
}

const textsOf = (kind: DeliveryKind): Partial<Record<Phase, Now>> =>
  kind === 'again' ? againTexts : kind === 'reward' ? rewardTexts : {}

type Watched = Pick<
  DeliveryReceipt,
  | 'kind'
  | 'status'
  | 'is_with_staff'
  | 'created_at'
  | 'settled_at'
  | 'is_collection_told'
  | 'collected_at'
  | 'waiting'
>

/** The state of a purchase, as the live dialog and the receipt show it. */
export function deliveryProgress(receipt: Watched): Progress {
  const phase = phaseOf(receipt)
  const stamp = phase === 'done' ? stampOf(receipt) : null
  const steps = stepsOf(phase, receipt)
  if (phase === 'sent') return { phase, ...phaseTexts.sent, text: waitingText(receipt.waiting), steps, stamp }
  const usual = phase === 'done' && receipt.is_collection_told ? phaseTexts.collected : phaseTexts[phase]
  const texts = textsOf(receipt.kind)[phase] ?? usual
  return { phase, ...texts, steps, stamp }
}

/** The stamp of a purchase that is done; a game that tells it says more than that the goods are in it. */
export const stampOf = ({ is_collection_told }: Pick<DeliveryReceipt, 'is_collection_told'>): string =>
  is_collection_told ? deliveryProgressCopy.collected : deliveryProgressCopy.stamp

type Phase = 'sending' | 'staff' | 'sent' | 'done' | 'refunded'

function phaseOf(receipt: Watched): Phase {
  const { status, is_with_staff } = receipt
  if (isUncollected(receipt)) return 'sent'
  if (status === 'delivered') return 'done'
  if (status === 'refunded') return 'refunded'
  return is_with_staff ? 'staff' : 'sending'
}

function stepsOf(phase: Phase, receipt: Watched): ProgressStep[] {
  const { kind, created_at, settled_at, collected_at, is_collection_told } = receipt
  const name = isFree(kind) ? deliveryProgressCopy[kind] : deliveryProgressCopy.paid
  const paid: ProgressStep = { name, at: formatMoment(created_at), state: 'done' }
  const end = settled_at && formatMoment(settled_at)
  const later: ProgressStep = { name: deliveryProgressCopy.arrived, at: null, state: 'later' }
  switch (phase) {
    case 'sending':
      return [paid, { name: deliveryProgressCopy.sending, at: null, state: 'now' }, later]
    case 'staff':
      return [paid, { name: deliveryProgressCopy.staff, at: null, state: 'now' }, later]
    case 'sent':
      return [
        paid,
        { name: deliveryProgressCopy.inGame, at: end, state: 'done' },
        { name: deliveryProgressCopy.collected, at: null, state: 'now' },
      ]
    case 'done':
      if (is_collection_told) {
        const there = collected_at && formatMoment(collected_at)
        return [
          paid,
          { name: deliveryProgressCopy.inGame, at: end, state: 'done' },
          { name: deliveryProgressCopy.collected, at: there, state: 'done' },
        ]
      }
      return [
        paid,
        { name: deliveryProgressCopy.sent, at: null, state: 'done' },
        { name: deliveryProgressCopy.arrived, at: end, state: 'done' },
      ]
    case 'refunded':
      return [
        paid,
        { name: deliveryProgressCopy.refused, at: isFree(kind) ? end : null, state: 'failed' },
        ...(isFree(kind)
          ? []
          : [{ name: deliveryProgressCopy.refunded, at: end, state: 'done' } satisfies ProgressStep]),
      ]
  }
}

/** How far a purchase has come; it never goes back. */
const stageOf = (receipt: DeliveryReceipt) =>
  receipt.status === 'pending' ? 0 : isUncollected(receipt) ? 1 : 2

/** Ignores an older answer that arrives late: a settled purchase does not become pending again. */
export function newerReceipt(known: DeliveryReceipt | undefined, read: DeliveryReceipt): DeliveryReceipt {
  const isStale = known?.id === read.id && stageOf(read) < stageOf(known)
  return isStale ? known : read
}
