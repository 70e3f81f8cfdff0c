import { errorCatalogue } from '#contract/errors.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'

/** `field` is the form field beside which the error is shown. */
export const wrongCode = (field: 'code' | 'otp' | 'newEmailOtp') =>
  new Refusal('OTP_INVALID', { errors: { [field]: [errorCatalogue.OTP_INVALID.message] } })

export const presentCodeRequired = (channel: 'email' | 'phone') =>
  new Refusal('OTP_REQUIRED', {
    message:
      channel === 'email'
        ? 'Vui lòng nhập mã OTP đã gửi đến email hiện tại của bạn'
        : 'Vui lòng xác thực mã OTP của số điện thoại hiện tại trước',
  })

export const newPhoneTaken = () =>
  new Refusal('PHONE_TAKEN', { errors: { newPhone: [errorCatalogue.PHONE_TAKEN.message] } })

/** To operators who hand an account back, when somebody registered with the phone in the very moment. */
export const phoneJustTaken = () =>
  conflict('Số điện thoại này vừa được đăng ký cho tài khoản khác, vui lòng thử lại')

export const sameEmail = () => invalidField('newEmail', 'Bạn đang dùng email này rồi')

export const samePhone = () => invalidField('newPhone', 'Bạn đang dùng số điện thoại này rồi')

export const lastOwner = () =>
  conflict('Đây là chủ sở hữu duy nhất. Hãy giao vai trò này cho người khác trước')

export const inviteOver = () => conflict('Lời mời này đã được dùng, đã thu hồi hoặc đã hết hạn')

export const inviteInvalid = () =>
  new Refusal('TOKEN_INVALID', {
    message: 'Lời mời không đúng, đã được dùng hoặc đã quá 48 giờ. Hãy xin một lời mời mới',
  })

export const usernameTaken = () =>
  new Refusal('USERNAME_TAKEN', { errors: { username: ['Tên đăng nhập đã có người sử dụng'] } })

export const phoneTaken = () =>
  new Refusal('PHONE_TAKEN', { errors: { phone: ['Số điện thoại đã được đăng ký cho tài khoản khác'] } })

/** The name could be mistaken for an operator's. */
export const staffName = () =>
  invalidField('username', 'Tên này dành cho ban quản trị, vui lòng chọn tên khác')

export const nicknameOfStaff = () =>
  invalidField('nickname', 'Biệt danh này dành cho ban quản trị, vui lòng chọn tên khác')

/** Also the player's own: a login name is half of a login. */
export const nicknameOfAccount = () =>
  invalidField('nickname', 'Biệt danh này trùng với một tên đăng nhập, vui lòng chọn tên khác')

export const unknownServer = () => invalidField('server_id', 'Máy chủ không tồn tại, vui lòng chọn lại')

/** Too many passwords wait to be hashed; the caller comes back in a moment. */
export const hasherBusy = (retryAfterSeconds: number, isOwnDoing: boolean) =>
  isOwnDoing
    ? new Refusal('RATE_LIMITED', {
        message: 'Mạng của bạn đang gửi quá nhiều yêu cầu cùng lúc, vui lòng thử lại sau giây lát',
        retryAfterSeconds,
      })
    : new Refusal('UNAVAILABLE', { retryAfterSeconds })
