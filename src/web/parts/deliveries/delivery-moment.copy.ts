import { STATUS_NAMES } from '#contract/transactions.ts'

type Now = { title: string; text: string }

export const deliveryMomentCopy = {
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
export const deliveryNows = {
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
