/** Why a transfer at the bank is where it is, in the operators' words. Unknown reasons (a provider's own) are shown as they are. */
export const TRANSFER_REASONS: Record<string, string> = {
  'no-code': 'Không có mã đơn trong nội dung',
  'two-codes': 'Có nhiều mã đơn trong nội dung',
  'unknown-code': 'Mã đơn không tồn tại',
  'wrong-account': 'Chuyển vào tài khoản khác với đơn',
  'order-already-paid': 'Đơn đã được thanh toán trước đó',
  'order-cancelled': 'Đơn đã hủy',
  'order-in-review': 'Đơn đang chờ kiểm tra',
  'user-deleted': 'Người chơi không còn tồn tại',
  'user-banned': 'Người chơi đang bị khóa giao dịch',
  'too-late': 'Chuyển quá muộn so với đơn',
  'rate-changed': 'Tỉ giá đã thay đổi sau khi đơn hết hạn',
  'below-minimum': 'Số tiền dưới mức nạp tối thiểu',
  'above-maximum': 'Số tiền trên mức nạp tối đa',
  'reference-conflict': 'Trùng mã giao dịch ngân hàng nhưng khác số tiền',
  outgoing: 'Tiền ra khỏi tài khoản',
  'bank-reversal': 'Ngân hàng thu hồi một khoản đã nhận',
  'reversed-by-bank': 'Đã bị ngân hàng thu hồi',
  'credit-undone': 'Đã hủy lần cộng trước, chờ xử lý lại',
  'refunded-by-hand': 'Đã hoàn lại cho người chuyển',
  'ignored-by-hand': 'Đã bỏ qua',
  'accepted-notice': 'Tạo từ thông báo được xác nhận bằng tay',
  'dismissed-notice': 'Thông báo đã bị bác',
}

export const describeReason = (reason: string | null): string | null =>
  reason === null ? null : (TRANSFER_REASONS[reason] ?? reason)
