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
  pendingOrders: 'Đang chờ bạn thanh toán',
  goOnPaying: 'Tiếp tục thanh toán',
  pay: 'Trả',
  orders: 'Đơn nạp của bạn',
  noOrders: 'Bạn chưa có đơn nạp nào.',
  timeLeft: 'Còn lại',
  cancel: 'Hủy đơn',
  cancelTitle: 'Hủy đơn nạp này?',
  cancelWarning:
    'Chỉ hủy khi bạn chưa chuyển tiền. Tiền chuyển vào một đơn đã hủy phải chờ đội vận hành kiểm tra.',
  cancelConfirm: 'Hủy đơn',
} as const

/** What a player reads about the state of an order: a word, and what it means for them. */
export const orderStates: Record<Status, { label: string; tone: BadgeTone; title: string; text: string }> = {
  pending: {
    label: 'Đang chờ',
    tone: 'waiting',
    title: 'Đang chờ bạn chuyển khoản',
    text: 'Quét mã QR hoặc chuyển khoản đúng số tiền và nội dung bên dưới.',
  },
  paid: {
    label: 'Đã nhận',
    tone: 'success',
    title: 'Nạp TCoin thành công',
    text: 'Tiền đã đến đủ và TCoin đã vào ví của bạn, dùng được ngay.',
  },
  paid_under: {
    label: 'Nhận thiếu',
    tone: 'note',
    title: 'Đã nhận ít hơn số tiền của đơn',
    text: 'Ví của bạn đã được cộng đúng số tiền đã đến, dùng được ngay. Muốn nạp đủ, bạn tạo đơn mới cho phần còn thiếu.',
  },
  paid_over: {
    label: 'Nhận dư',
    tone: 'success',
    title: 'Đã nhận nhiều hơn số tiền của đơn',
    text: 'Ví của bạn được cộng toàn bộ số tiền đã đến, bạn không cần làm gì thêm.',
  },
  expired: {
    label: 'Hết hạn',
    tone: 'note',
    title: 'Mã QR đã hết hạn',
    text: 'Vui lòng không chuyển tiền theo mã này nữa. Nếu bạn đã chuyển, TCoin vẫn được cộng khi ngân hàng báo tiền đến.',
  },
  cancelled: {
    label: 'Đã hủy',
    tone: 'note',
    title: 'Đơn nạp đã hủy',
    text: 'Nếu bạn lỡ chuyển tiền theo đơn này, đội vận hành sẽ kiểm tra và xử lý khoản tiền đó.',
  },
  review: {
    label: 'Đang kiểm tra',
    tone: 'waiting',
    title: 'Đội vận hành đang kiểm tra khoản tiền',
    text: 'Tiền đã đến nhưng cần người kiểm tra trước khi cộng vào ví. Bạn không cần chuyển lại; trang tự cập nhật khi có kết quả.',
  },
}
