import { invalidField, Refusal } from '#server/platform/http/refusal.ts'

export const usernameTaken = () =>
  new Refusal('USERNAME_TAKEN', { errors: { username: ['Tên đăng nhập đã có người sử dụng'] } })

export const phoneTaken = () =>
  new Refusal('PHONE_TAKEN', { errors: { phone: ['Số điện thoại đã được đăng ký cho tài khoản khác'] } })

/** The name could be mistaken for an operator's. */
export const staffName = () =>
  invalidField('username', 'Tên này dành cho ban quản trị, vui lòng chọn tên khác')

export const unknownServer = () => invalidField('server_id', 'Máy chủ không tồn tại, vui lòng chọn lại')

/** Too many passwords wait to be hashed; the caller comes back in a moment. */
export const hasherBusy = (retryAfterSeconds: number, isOwnDoing: boolean) =>
  isOwnDoing
    ? new Refusal('RATE_LIMITED', {
        message: 'Mạng của bạn đang gửi quá nhiều yêu cầu cùng lúc, vui lòng thử lại sau giây lát',
        retryAfterSeconds,
      })
    : new Refusal('UNAVAILABLE', { retryAfterSeconds })
