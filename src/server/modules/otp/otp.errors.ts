import { Refusal } from '#server/platform/values/errors.ts'

export const otpInvalid = () => new Refusal('OTP_INVALID')

const CLOSED_RETRY_SECONDS = 600

export const messagesClosed = () =>
  new Refusal('DISABLED', {
    message: 'Cổng chưa được cấu hình để nhận tin nhắn',
    retryAfterSeconds: CLOSED_RETRY_SECONDS,
  })

export const badSignature = () =>
  new Refusal('UNAUTHENTICATED', { message: 'Chữ kí của tin nhắn không hợp lệ' })

export const wrongTime = () =>
  new Refusal('UNAUTHENTICATED', { message: 'Tin nhắn được kí vào thời điểm quá xa hiện tại' })

export const unreadableMessage = (field: string) =>
  new Refusal('BAD_REQUEST', {
    message:
      field === '' ? 'Tin nhắn phải là một đối tượng JSON' : `Trường ${field} của tin nhắn không hợp lệ`,
    ...(field === '' ? {} : { errors: { [field]: ['Giá trị không hợp lệ'] } }),
  })

export const sandboxRefused = () =>
  new Refusal('UNAVAILABLE', {
    message: 'Cổng không nhận tin nhắn thử, vui lòng thử lại',
    retryAfterSeconds: 2,
  })
