export const failedWorkCopy = {
  note: 'Việc đã đến giờ mà cổng làm chưa được. Mỗi việc được thử lại, lần sau lâu hơn lần trước, nhiều nhất một phút một lần; làm được thì dòng tự mất. Gọi kỹ thuật thì gửi kèm mã và lỗi.',
  empty: 'Không có việc nào làm không được.',
  job: 'Việc',
  code: 'Mã để báo kỹ thuật',
  jobCode: 'Phần đầu của mã',
  error: 'Lỗi lần cuối',
  failures: 'Số lần thử',
  failingSince: 'Từ lúc',
  retryAt: 'Thử lại lúc',
  /** What old rows are deleted by. */
  tidying: 'Xóa dữ liệu đã hết hạn giữ',
  other: 'Việc nền của máy chủ',
} as const

/** What somebody waits for, by the job that does it. */
const JOB_TEXTS: Readonly<Record<string, string>> = {
  deliveries: 'Giao hàng vào game',
  'collected goods': 'Giao hàng vào game',
  'delivery leases': 'Giao hàng vào game',
  'deliveries behind others': 'Giao hàng vào game',
  'sleeping deliveries': 'Giao hàng vào game',
  'order purchases': 'Mua hàng bằng đơn nạp',
  'unpaid order purchases': 'Mua hàng bằng đơn nạp',
  'recharge checkouts': 'Thanh toán qua MoMo',
  'recharge sweeper': 'Xử lý tiền vào',
  'recharge expiry': 'Đóng đơn nạp hết hạn',
  'gateway refunds': 'Hoàn tiền qua MoMo',
  reconciliation: 'Đọc sao kê và đối soát',
  'checks of the books': 'Kiểm tra sổ cái',
  bonuses: 'Thưởng khuyến mãi',
  'gift-codes': 'Mã quà',
  invitations: 'Thưởng mời bạn',
  'planned prices': 'Giá hẹn giờ',
  proposals: 'Đề xuất',
  mail: 'Gửi thư',
  'mails of unread notices': 'Gửi thư',
  'daily digests': 'Gửi thư',
  push: 'Gửi thông báo đẩy',
  'messages of alarms': 'Gửi tin cảnh báo',
  alarms: 'Gửi tin cảnh báo',
  'game accounts': 'Báo khóa, kích hoạt, mật khẩu cho game',
  'password requests': 'Đặt lại mật khẩu',
  'deletion requests': 'Xóa tài khoản',
  'tournament charges': 'Lệ phí giải đấu',
  'tournament check-in': 'Điểm danh giải đấu',
  'tournament closes': 'Kết thúc giải đấu',
  'tournament places': 'Chia cặp giải đấu',
  'tournament follow-up': 'Báo tin giải đấu',
  'tournament followers': 'Báo tin giải đấu',
  rankings: 'Bảng xếp hạng',
  'comparison with the game': 'So với game',
  'figures of the last hours': 'Số liệu',
  'campaign reports': 'Báo cáo chiến dịch',
  'silent cases': 'Đóng yêu cầu hỗ trợ đã im lặng',
}

const TIDYING = /^(old|expired) |^(forgotten devices|past cases|claim pictures|posts\.purge)$/

/** What a job does, in the operators' words. */
export const jobText = (job: string): string =>
  JOB_TEXTS[job] ?? (TIDYING.test(job) ? failedWorkCopy.tidying : failedWorkCopy.other)
