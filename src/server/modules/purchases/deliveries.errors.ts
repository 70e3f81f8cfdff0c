import { Refusal } from '#server/platform/http/refusal.ts'

export const gameDoesNotAnswer = () =>
  new Refusal('UNAVAILABLE', {
    message: 'Máy chủ game chưa trả lời, chưa có gì thay đổi. Vui lòng thử lại sau',
  })

export const deliveryNotParked = () =>
  new Refusal('CONFLICT', { message: 'Chỉ có thể gửi lại lượt giao đang chờ người vận hành xử lý' })

export const deliveryNotSettled = () =>
  new Refusal('CONFLICT', {
    message: 'Chỉ có thể xác nhận đã giao khi lượt giao đang chờ người vận hành xử lý',
  })

export const gameKnowsNothing = () =>
  new Refusal('CONFLICT', {
    message: 'Máy chủ game chưa từng giao lượt này. Hãy gửi lại hoặc hoàn tiền',
  })

export const gameCancelled = () =>
  new Refusal('CONFLICT', { message: 'Máy chủ game đã hủy lượt giao này. Hãy hoàn tiền' })
