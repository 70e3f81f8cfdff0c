import { errorCatalogue } from '#contract/errors.ts'
import { invalidField, Refusal } from '#server/platform/http/refusal.ts'

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

export const sameEmail = () => invalidField('newEmail', 'Bạn đang dùng email này rồi')

export const samePhone = () => invalidField('newPhone', 'Bạn đang dùng số điện thoại này rồi')
