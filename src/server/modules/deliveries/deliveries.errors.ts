import { Refusal } from '#server/platform/http/refusal.ts'

export const gameDoesNotAnswer = () =>
  new Refusal('UNAVAILABLE', {
    message: 'Máy chủ game chưa trả lời, chưa có gì thay đổi. Vui lòng thử lại sau',
  })

export const deliveryNotParked = () =>
  new Refusal('CONFLICT', { message: 'Chỉ có thể gửi lại lượt giao đang chờ người vận hành xử lý' })
