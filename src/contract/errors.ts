import { NOT_ACTIVATED_TEXT } from './constants.ts'

/** In a constant of its own: a form that shows it does not load the catalogue. */
export const TOKEN_INVALID_MESSAGE = 'Yêu cầu không hợp lệ, vui lòng gửi một yêu cầu mới'

/** Every refusal the API can give: its HTTP status and the sentence a player reads when nothing closer is known. */
export const errorCatalogue = {
  BAD_REQUEST: { status: 400, message: 'Yêu cầu không đúng định dạng' },
  UNAUTHENTICATED: { status: 401, message: 'Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại' },
  SESSION_LOCKED: { status: 401, message: 'Phiên đang khóa, vui lòng nhập mã xác thực hai lớp để mở' },
  FORBIDDEN: { status: 403, message: 'Bạn không có quyền thực hiện thao tác này' },
  NOT_FOUND: { status: 404, message: 'Không tìm thấy nội dung bạn yêu cầu' },
  URI_TOO_LONG: { status: 414, message: 'Địa chỉ quá dài' },
  VALIDATION: { status: 422, message: 'Thông tin chưa hợp lệ, vui lòng kiểm tra lại' },
  INVALID_CREDENTIALS: { status: 422, message: 'Tên đăng nhập hoặc mật khẩu không chính xác' },
  USERNAME_TAKEN: { status: 422, message: 'Tên đăng nhập đã có người sử dụng' },
  PHONE_TAKEN: { status: 422, message: 'Số điện thoại đã được đăng ký cho tài khoản khác' },
  NOT_ACTIVATED: { status: 422, message: NOT_ACTIVATED_TEXT },
  BANNED: { status: 422, message: 'Tài khoản đang bị khóa giao dịch' },
  INSUFFICIENT_BALANCE: { status: 422, message: 'Số dư không đủ, vui lòng nạp thêm tiền' },
  PRICE_CHANGED: { status: 422, message: 'Giá vừa thay đổi, vui lòng xem lại trước khi mua' },
  PAYEE_NOT_FOUND: { status: 422, message: 'Không tìm thấy người nhận' },
  CHARACTER_NOT_FOUND: { status: 422, message: 'Không tìm thấy nhân vật' },
  CODE_INVALID: { status: 422, message: 'Mã quà không đúng, vui lòng kiểm tra lại từng ký tự' },
  CODE_USED: { status: 422, message: 'Mã quà này đã được dùng hết' },
  CODE_ENDED: { status: 422, message: 'Mã quà này đã hết hạn' },
  OTP_INVALID: { status: 422, message: 'Mã OTP không chính xác hoặc đã hết hạn' },
  OTP_REQUIRED: { status: 422, message: 'Vui lòng xác thực mã OTP trước khi thực hiện' },
  SECOND_FACTOR_REQUIRED: { status: 422, message: 'Vui lòng nhập mã xác thực hai lớp' },
  TOKEN_INVALID: { status: 422, message: TOKEN_INVALID_MESSAGE },
  KEY_REUSED: { status: 422, message: 'Yêu cầu này đã được dùng cho một thao tác khác, vui lòng thử lại' },
  LIMIT_EXCEEDED: { status: 422, message: 'Đã vượt quá giới hạn cho phép' },
  ALREADY_ACTIVATED: { status: 409, message: 'Tài khoản đã được kích hoạt trước đó' },
  GIFT_ALREADY_TAKEN: { status: 409, message: 'Tài khoản đã nhận quà tân thủ' },
  ALREADY_CHECKED_IN: { status: 409, message: 'Bạn đã điểm danh hôm nay' },
  ALREADY_CLAIMED: { status: 409, message: 'Bạn đã nhận quà của mốc này' },
  MILESTONE_NOT_REACHED: { status: 422, message: 'Bạn chưa nạp đủ cho mốc này' },
  GOODS_UNAVAILABLE: {
    status: 409,
    message:
      'Món này tạm thời chưa phát được vì game chưa nhận. Bạn chưa mất gì, đội vận hành đã được báo, vui lòng quay lại sau',
  },
  CONFLICT: { status: 409, message: 'Dữ liệu vừa được thay đổi, vui lòng tải lại trang' },
  STEP_UP_REQUIRED: { status: 409, message: 'Vui lòng nhập mã xác thực hai lớp để xác nhận thao tác này' },
  IN_PROGRESS: { status: 409, message: 'Yêu cầu trước đó đang được xử lý, vui lòng chờ trong giây lát' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Nội dung gửi lên quá lớn' },
  RATE_LIMITED: { status: 429, message: 'Bạn thao tác quá nhanh, vui lòng thử lại sau ít phút' },
  INTERNAL: { status: 500, message: 'Có lỗi xảy ra, vui lòng thử lại' },
  DISABLED: { status: 503, message: 'Tính năng đang tạm ngừng, vui lòng quay lại sau' },
  MAINTENANCE: { status: 503, message: 'Tính năng đang bảo trì, vui lòng quay lại sau' },
  UNAVAILABLE: { status: 503, message: 'Hệ thống đang bận, vui lòng thử lại sau giây lát' },
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** The body of every refusal. `errors` maps a field to its messages, most important first. */
export type RefusalBody = {
  code: ErrorCode
  message: string
  report?: boolean
  notify?: boolean
  errors?: Record<string, string[]>
  /** With PRICE_CHANGED: what would be bought now. */
  offer?: ChangedOffer
  /** With MAINTENANCE: when it ends; null when that is not known. */
  until?: string | null
  /** With CONFLICT of an operator’s change: the state that the caller does not know yet. */
  present?: unknown
  requestId: string
}

/** What an exchange or a package costs and brings now, in the refusal PRICE_CHANGED. */
export type ChangedOffer = { amount: number; receive: number } | { package_id: number; amount: number }
