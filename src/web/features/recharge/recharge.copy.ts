import type { RechargeOrder } from '#contract/recharge.ts'
import type { BadgeTone } from '#ui/badge.tsx'

type Status = RechargeOrder['status']

export const rechargeCopy = {
  lead: 'TCoin vào ví ngay khi tiền đến.',
  channels: 'Kênh nạp',
  channelMissing: 'Vui lòng chọn kênh nạp',
  noChannels: 'Hiện chưa có kênh nạp nào được mở.',
  noChannelsMore: 'Vui lòng quay lại sau, hoặc hỏi đội vận hành trong Box Zalo.',
  bannedTitle: 'Tài khoản đang bị khóa giao dịch',
  bannedText: 'Bạn nạp được TCoin sau khi hết thời gian khóa.',
  limits: (min: string, max: string) => `Từ ${min} đến ${max}\u00A0VND`,
  amounts: 'Chọn nhanh số tiền',
  amount: 'Số tiền (VND)',
  amountPlaceholder: 'Nhập số tiền muốn nạp',
  amountMissing: 'Vui lòng nhập số tiền',
  amountTooSmall: (min: string) => `Số tiền tối thiểu là ${min} VND`,
  amountTooLarge: (max: string) => `Số tiền tối đa là ${max} VND`,
  youGet: 'Bạn nhận',
  rate: (tcoin: string) => `1 VND = ${tcoin} TCoin`,
  bonus: (percent: string) => `đổi lượng +${percent}%`,
  create: 'Tạo mã QR',
  tooManyTitle: (count: number) => `Bạn đang có ${count} đơn nạp chờ thanh toán`,
  tooManyText: 'Vui lòng chuyển khoản hoặc hủy bớt một đơn ở đầu trang rồi tạo đơn mới.',
  promotionFailed: 'Chưa tải được khuyến mãi. Bạn vẫn tạo đơn nạp được',
  pendingOrders: 'Đang chờ bạn thanh toán',
  goOnPaying: 'Tiếp tục thanh toán',
  pay: 'Trả',
  orders: 'Đơn nạp của bạn',
  claim: 'Tôi đã chuyển nhưng chưa được cộng',
  noOrders: 'Bạn chưa có đơn nạp nào.',
  timeLeft: 'Còn lại',
  cancel: 'Hủy đơn',
  cancelTitle: 'Hủy đơn nạp này?',
  cancelWarning:
    'Chỉ hủy khi bạn chưa chuyển tiền. Tiền chuyển vào một đơn đã hủy phải chờ đội vận hành kiểm tra.',
  cancelConfirm: 'Hủy đơn',
} as const

/** The word for the state of an order; what it means for the player is on the order's own page. */
export const orderStates: Record<Status, { label: string; tone: BadgeTone }> = {
  pending: { label: 'Đang chờ', tone: 'waiting' },
  paid: { label: 'Đã nhận', tone: 'success' },
  paid_under: { label: 'Nhận thiếu', tone: 'note' },
  paid_over: { label: 'Nhận dư', tone: 'success' },
  expired: { label: 'Hết hạn', tone: 'note' },
  cancelled: { label: 'Đã hủy', tone: 'note' },
  review: { label: 'Đang kiểm tra', tone: 'waiting' },
}
