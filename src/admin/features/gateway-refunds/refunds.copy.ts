import { REFUND_WORDS } from '#contract/operator/words.ts'

export const refundsCopy = {
  title: 'Hoàn qua MoMo',
  empty: 'Chưa có lần hoàn tiền nào qua MoMo. Hoàn tiền từ một khoản chuyển đang chờ kiểm tra.',
  askedAt: 'Yêu cầu lúc',
  askedBy: 'Người yêu cầu',
  amount: 'Số tiền',
  state: 'Trạng thái',
  code: 'Mã của MoMo',
  transfer: 'Khoản chuyển',
  rechargeOrder: 'Đơn nạp',
  player: 'Người chơi',
  reason: 'Lí do',
  states: REFUND_WORDS,
} as const
