import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { STATUS_NAMES } from '#contract/transaction-names.ts'

export const deliveriesCopy = {
  lead: 'Lượng và quà bạn đã mua cho nhân vật, kèm biên nhận của từng món.',
  empty: 'Bạn chưa mua món nào.',
  emptyMore: 'Khi bạn đổi lượng hoặc mua quà tân thủ, biên nhận sẽ nằm ở đây.',
  exchange: 'Đổi lượng',
  bought: (goods: string, character: string) => `${goods} cho ${character}`,
  gift: 'Quà tân thủ',

  receipt: 'Biên nhận',
  back: 'Tất cả món đã mua',
  reference: 'Mã biên nhận',
  what: 'Món đã mua',
  character: 'Nhân vật',
  server: 'Máy chủ',
  paid: 'Đã trả',
  boughtAt: 'Đặt mua',
  deliveredAt: 'Đã vào game',
  refundedAt: 'TCoin đã về ví',
  waiting: 'Đang chờ game xác nhận',
  timeline: 'Diễn biến',
  why: (reason: string) => `Lý do: ${reason}`,
  reconnecting: 'Mất kết nối với máy chủ, đang thử lại…',
  exchangeMore: 'Đổi lượng tiếp',
  exchangeAgain: 'Đổi lượng lại',
  giftAgain: 'Chọn lại quà tân thủ',
  toStatement: 'Xem lịch sử giao dịch',
} as const

type Now = { title: string; text: string }

const nows = {
  pending: {
    title: STATUS_NAMES.pending,
    text: 'Thường chỉ mất vài giây. TCoin được giữ lại cho đến khi game xác nhận; bạn có thể đóng trang, món vẫn được giao.',
  },
  staff: {
    title: `${STATUS_NAMES.pending}, chờ đội vận hành kiểm tra`,
    text: 'Game chưa xác nhận nên đội vận hành đang kiểm tra. Món sẽ được giao, nếu không TCoin sẽ về ví. Bạn không cần mua lại.',
  },
  delivered: {
    title: STATUS_NAMES.delivered,
    text: 'Món đã vào game. Nếu chưa thấy, hãy thoát ra rồi vào lại nhân vật.',
  },
  refunded: {
    title: STATUS_NAMES.refunded,
    text: 'Game không nhận được món này nên TCoin đã về ví của bạn, đủ số đã trả. Bạn có thể mua lại.',
  },
} satisfies Record<string, Now>

/** What a player reads about a purchase now, and what happens next. */
export function nowOf({ status, is_with_staff }: Pick<DeliveryReceipt, 'status' | 'is_with_staff'>): Now {
  return nows[status === 'pending' && is_with_staff ? 'staff' : status]
}
