/** Why a transfer at the bank is where it is, in the operators' words. Unknown reasons (a provider's own) are shown as they are. */
const TRANSFER_REASONS = {
  'no-code': 'Không có mã đơn trong nội dung',
  'two-codes': 'Có nhiều mã đơn trong nội dung',
  'unknown-code': 'Mã đơn không tồn tại',
  'wrong-account': 'Chuyển vào tài khoản khác với đơn',
  'wrong-request': 'Thanh toán MoMo không khớp yêu cầu của đơn',
  'wrong-amount': 'Thanh toán MoMo khác số tiền của đơn',
  'order-already-paid': 'Đơn đã được thanh toán trước đó',
  'order-cancelled': 'Đơn đã hủy',
  'order-in-review': 'Đơn đang chờ kiểm tra',
  'user-deleted': 'Người chơi không còn tồn tại',
  'user-banned': 'Người chơi đang bị khóa giao dịch',
  'too-late': 'Chuyển quá muộn so với đơn',
  'rate-changed': 'Tỉ giá đã thay đổi sau khi đơn hết hạn',
  'below-minimum': 'Số tiền dưới mức nạp tối thiểu',
  'above-maximum': 'Số tiền trên mức nạp tối đa',
  'reference-conflict': 'Trùng mã giao dịch ngân hàng nhưng khác số tiền hoặc khác đơn nạp',
  'unreadable-row': 'Một dòng thông báo không đọc được',
  authorised: 'MoMo đã giữ tiền nhưng chưa thu',
  pending: 'Thanh toán đang chờ hoàn tất',
  'payment-failed': 'Thanh toán không thành công',
  'unknown-result': 'Kết quả thanh toán chưa rõ, cần hỏi lại MoMo',
  outgoing: 'Tiền ra khỏi tài khoản',
  'bank-reversal': 'Ngân hàng thu hồi một khoản đã nhận',
  'reversed-by-bank': 'Đã bị ngân hàng thu hồi',
  'credit-undone': 'Đã hủy lần cộng trước, chờ xử lý lại',
  'refunded-by-hand': 'Đã hoàn lại cho người chuyển',
  'refunded-at-momo': 'Đã hoàn qua MoMo',
  'ignored-by-hand': 'Đã bỏ qua',
  'accepted-notice': 'Tạo từ thông báo được xác nhận bằng tay',
  'dismissed-notice': 'Thông báo đã bị bác',
} as const

export type TransferReason = keyof typeof TRANSFER_REASONS

const isKnown = (reason: string): reason is TransferReason => Object.hasOwn(TRANSFER_REASONS, reason)

export const describeReason = (reason: string | null): string | null =>
  reason !== null && isKnown(reason) ? TRANSFER_REASONS[reason] : reason
