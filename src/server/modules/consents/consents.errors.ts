import { invalidField, Refusal } from '#server/platform/http/refusal.ts'

export const anotherVersion = (): Refusal =>
  new Refusal('CONFLICT', { message: 'Vừa có bản mới, hãy tải lại trang và đọc bản mới' })

export const bindingText = (): Refusal =>
  invalidField(
    'given',
    'Điều khoản và chính sách là điều kiện dùng cổng. Nếu không còn đồng ý, bạn có thể yêu cầu xóa tài khoản',
  )
