import { Refusal } from '#server/platform/values/errors.ts'

/** Only after the correct password, a mailed token or a phone's code. */
export const secondFactorRequired = () => new Refusal('SECOND_FACTOR_REQUIRED')

export const wrongSecondFactor = () =>
  new Refusal('OTP_INVALID', { message: 'Mã xác thực hai lớp không đúng hoặc đã được dùng' })

export const secondFactorIsOn = () =>
  new Refusal('CONFLICT', { message: 'Xác thực hai lớp đã được bật cho tài khoản này' })

export const secondFactorIsOff = () =>
  new Refusal('CONFLICT', { message: 'Xác thực hai lớp chưa được bật cho tài khoản này' })

export const setupNotStarted = () =>
  new Refusal('CONFLICT', { message: 'Thiết lập đã hết hiệu lực, vui lòng quét mã QR mới' })

export const operatorsKeepTheirs = () =>
  new Refusal('CONFLICT', {
    message: 'Người vận hành phải luôn bật xác thực hai lớp. Bạn có thể tắt khi không còn giữ vai trò nào',
  })
