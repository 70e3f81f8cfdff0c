import { Refusal } from '#server/platform/http/refusal.ts'

/** The same for an unknown name and a wrong password: who has an account here is nobody's business. */
export const invalidCredentials = () => new Refusal('INVALID_CREDENTIALS')

export const unauthenticated = () => new Refusal('UNAUTHENTICATED')

/** More logins wait than can be served soon; the caller comes back in a moment. */
export const loginsBusy = () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 2 })
export const operatorNotProved = () =>
  new Refusal('SECOND_FACTOR_REQUIRED', {
    message:
      'Người vận hành cần xác thực hai lớp: hãy bật trong mục Hồ sơ, hoặc đăng nhập lại kèm mã xác thực',
  })

export const operatorPasswordShort = () =>
  new Refusal('CONFLICT', {
    message:
      'Mật khẩu của người vận hành phải có ít nhất 12 kí tự. Hãy đổi mật khẩu trong mục Hồ sơ, hoặc đăng nhập lại nếu mật khẩu đã đủ dài',
  })
