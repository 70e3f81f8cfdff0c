import type { ClaimStatus } from '#contract/recharge-claims.ts'
import type { BadgeTone } from '#ui/badge.tsx'

export const claimCopy = {
  lead: 'TCoin thường vào ví sau vài phút. Nếu đã lâu hơn mà chưa thấy, hãy cho đội vận hành biết khoản tiền bạn đã chuyển để họ đối chiếu với sao kê ngân hàng.',
  back: 'Nạp TCoin',

  form: 'Khoản tiền bạn đã chuyển',
  amount: 'Số tiền đã chuyển (VND)',
  amountPlaceholder: 'Nhập số tiền trên biên lai',
  paidAt: 'Thời gian chuyển (giờ Việt Nam)',
  paidAtHint: 'Đúng như trên biên lai; gần đúng cũng được.',
  reference: 'Mã giao dịch ngân hàng',
  referencePlaceholder: 'Ví dụ FT26325123456',
  referenceHint:
    'Có trong chi tiết giao dịch của ứng dụng ngân hàng. Có mã này, khoản tiền được tìm thấy nhanh nhất.',
  note: 'Ghi chú',
  notePlaceholder: 'Ví dụ: chuyển từ ngân hàng nào, nội dung đã ghi',
  noteOfOrder: (code: string) => `Đơn nạp ${code}`,

  picture: 'Ảnh biên lai',
  pictureHint:
    'JPG, PNG hoặc WebP, tối đa 5 MB. Chỉ đội vận hành xem được; vị trí và thông tin máy trong ảnh được xóa.',
  choosePicture: 'Chọn ảnh',
  changePicture: 'Đổi ảnh',
  removePicture: 'Bỏ ảnh',
  preparing: 'Đang mở ảnh…',
  wrongType: 'Ảnh phải là tệp JPG, PNG hoặc WebP',
  previewAlt: 'Ảnh bạn đã chọn',

  send: 'Gửi yêu cầu',
  sending: (percent: number) => `Đang gửi… ${percent}%`,

  sentTitle: (id: string) => `Đã gửi yêu cầu số ${id}`,
  sentText:
    'Đội vận hành sẽ đối chiếu với sao kê ngân hàng rồi trả lời trong yêu cầu này, và qua email nếu bạn đã xác thực email. Bạn không cần gửi lại cho cùng một khoản tiền.',
  another: 'Báo khoản tiền khác',

  claims: 'Yêu cầu của bạn',
  none: 'Bạn chưa gửi yêu cầu nào.',
  sentAs: (id: string, moment: string) => `Yêu cầu số ${id}, gửi ${moment}`,
  paid: (moment: string) => `Chuyển lúc ${moment}`,
  referenceOf: (reference: string) => `Mã giao dịch ${reference}`,
  withPicture: 'Có ảnh biên lai',
  answer: 'Đội vận hành:',
  thread: 'Xem trao đổi và viết tiếp',
} as const

export const claimStates: Record<ClaimStatus, { label: string; tone: BadgeTone }> = {
  open: { label: 'Chờ kiểm tra', tone: 'waiting' },
  answered: { label: 'Đã trả lời', tone: 'note' },
  settled: { label: 'Đã xử lý', tone: 'success' },
  rejected: { label: 'Từ chối', tone: 'danger' },
}
