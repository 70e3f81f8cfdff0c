import { Refusal } from '#server/platform/http/refusal.ts'

export const notificationsClosed = () =>
  new Refusal('DISABLED', {
    message: 'Cổng chưa được cấu hình để nhận thông báo này',
    retryAfterSeconds: 600,
  })

export const badSignature = () =>
  new Refusal('UNAUTHENTICATED', { message: 'Chữ kí của thông báo không hợp lệ' })

export const staleSignature = () =>
  new Refusal('UNAUTHENTICATED', { message: 'Thông báo được kí quá lâu, cần kí lại' })

export const notAnObject = () =>
  new Refusal('BAD_REQUEST', { message: 'Thông báo phải là một đối tượng JSON' })

export const unreadableField = (field: string) =>
  new Refusal('BAD_REQUEST', {
    message: `Trường ${field} của thông báo không hợp lệ`,
    errors: { [field]: ['Giá trị không hợp lệ'] },
  })
