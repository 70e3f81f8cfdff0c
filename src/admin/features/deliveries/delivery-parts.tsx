import { momentText } from '#admin/kit/format.ts'
import { isFree } from '#contract/deliveries.ts'
import type { OperatorDelivery } from '#contract/operator/deliveries.ts'
import { DELIVERY_WORDS, WAITING_WORDS } from '#contract/operator/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

export const deliveriesCopy = {
  one: 'Lượt giao',
  empty: 'Chưa có lượt giao nào. Mỗi lần đổi lượng hay mua quà tạo một lượt giao.',
  kind: 'Loại',
  character: 'Nhân vật',
  goods: 'Vật phẩm',
  amount: 'Giá',
  attempt: 'Số lần gửi',
  nextAt: 'Lần gửi tới',
  error: 'Lỗi gần nhất',
  createdAt: 'Mua lúc',
  settledAt: 'Xong lúc',
  onlyOpen: 'Chưa xong',
  openOnly: 'Chỉ lượt chưa xong',
  collection: 'Vào nhân vật',
  notTold: 'Game không báo',
  uncollected: 'Chưa vào nhân vật',
  waitsForServer: 'Chờ ở máy chủ',
  uncollectedOnly: 'Chỉ món chưa vào nhân vật',
  waiting: 'Chờ vì',
  waitingReasons: WAITING_WORDS,
  user: 'Tên người chơi',
  batch: 'Số của lần giao lại',
  replaces: 'Giao lại cho',
  replacedBy: 'Đã giao lại bằng',
  toComparison: 'So với game: món game đã mất',
  states: DELIVERY_WORDS,
  notGiven: { again: 'Không giao lại', reward: 'Không giao được' },
  retry: {
    label: 'Gửi lại',
    text: 'Gửi lại với cùng mã số: nếu game đã giao rồi thì không giao lần hai.',
  },
  refund: {
    label: 'Hoàn TCoin',
    text: 'Game được yêu cầu từ chối lượt giao này vĩnh viễn, rồi TCoin mới trở về ví. Nếu game đã giao rồi thì lượt giao được ghi là đã giao, không hoàn.',
  },
  cancel: {
    label: 'Hủy giao lại',
    text: 'Game được yêu cầu từ chối lượt giao này vĩnh viễn. Không có TCoin nào được hoàn. Nếu game đã giao rồi thì lượt giao được ghi là đã giao.',
  },
  settle: {
    label: 'Ghi là đã giao',
    text: 'Chỉ khi game cũng nói đã giao. TCoin được thu như một lượt giao thường.',
    evidence: 'Bằng chứng',
  },
  attempts: {
    title: 'Các lần hỏi game',
    none: 'Chưa có lần nào, hoặc đã cũ hơn 90 ngày.',
    at: 'Lúc',
    asked: 'Việc',
    answer: 'Game trả lời',
    note: 'Ghi chú',
    took: 'Mất',
    by: 'Ai hỏi',
    worker: 'Tự động',
    ms: (count: string) => `${count} ms`,
    askedNames: { status: 'Hỏi trạng thái', deliver: 'Gửi hàng', cancel: 'Yêu cầu hủy' },
    answers: {
      applied: 'Đã nhận',
      refused: 'Từ chối',
      conflict: 'Mã số đã dùng cho hàng khác',
      cancelled: 'Đã hủy',
      'not-applied': 'Chưa từng giao',
      'not-received': 'Không nhận yêu cầu',
      unknown: 'Không trả lời',
    },
  },
  ask: {
    label: 'Hỏi game',
    text: 'Hỏi game xem đã giao lượt này chưa. Không thay đổi gì.',
    title: 'Game trả lời',
  },
  many: {
    label: 'Gửi lại các lượt đã chọn',
    text: (count: number) => `Gửi lại ${count} lượt, mỗi lượt với mã số của nó. Chỉ lượt bị treo được gửi.`,
  },
  bridge: {
    title: 'Máy chủ game',
    breaker: 'Kết nối',
    states: { closed: 'Đang trả lời', open: 'Không trả lời, đang thử lại mỗi 10 giây' },
    lastAnswered: 'Trả lời gần nhất',
    oldest: 'Lượt đang tự gửi lâu nhất, mua lúc',
    uncollected: 'Đã nhận, chưa vào nhân vật',
  },
} as const

/** When the goods reached the character, or why they wait in the game. */
export function collectionText(delivery: OperatorDelivery): string {
  const { state, is_collection_told, collected_at, waiting } = delivery
  if (state !== 'delivered') return '—'
  if (!is_collection_told) return deliveriesCopy.notTold
  if (collected_at !== null) return momentText(collected_at)
  return waiting === null ? deliveriesCopy.uncollected : deliveriesCopy.waitingReasons[waiting]
}

type State = OperatorDelivery['state']

const tones: Record<State, BadgeTone> = {
  pending: 'waiting',
  sending: 'waiting',
  unknown: 'waiting',
  parked: 'waiting',
  delivered: 'success',
  refunded: 'note',
}

/** Goods that cost nothing and were refused brought nothing back. */
export const DeliveryState = ({ state, kind }: Pick<OperatorDelivery, 'state' | 'kind'>) => (
  <Badge tone={tones[state]}>
    {isFree(kind) && state === 'refunded' ? deliveriesCopy.notGiven[kind] : deliveriesCopy.states[state]}
  </Badge>
)
