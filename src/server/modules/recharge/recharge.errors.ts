import { formatNumber } from '#contract/format.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'

export const channelClosed = () => invalidField('channel', 'Kênh nạp này hiện chưa mở')

export const belowMinimum = (minimum: number) =>
  invalidField('amount', `Số tiền nạp tối thiểu là ${formatNumber(minimum)} VND`)

export const belowPurchase = (needed: number) =>
  invalidField('amount', `Cần nạp ít nhất ${formatNumber(needed)} VND mới đủ để đổi`)

export const noAmount = () => invalidField('amount', 'Số tiền phải là số nguyên')

export const aboveMaximum = (maximum: number) =>
  invalidField('amount', `Số tiền nạp tối đa mỗi lần là ${formatNumber(maximum)} VND`)

export const tooManyOpenOrders = (limit: number) =>
  new Refusal('LIMIT_EXCEEDED', {
    message: `Bạn đang có ${limit} đơn nạp chờ thanh toán, vui lòng thanh toán hoặc hủy bớt trước khi tạo đơn mới`,
  })

export const momoUnavailable = () =>
  new Refusal('UNAVAILABLE', {
    message: 'MoMo đang không tạo được đơn thanh toán, vui lòng thử lại sau ít phút hoặc chọn kênh nạp khác',
    retryAfterSeconds: 60,
  })

export const orderNotPending = () => conflict('Đơn nạp này không còn chờ thanh toán nên không thể hủy')

export const orderNotYours = () => invalidField('code', 'Không tìm thấy đơn nạp này')

export const transferTooLarge = () => invalidField('amount', 'Số tiền chuyển quá lớn')

export const sandboxRefused = () =>
  new Refusal('UNAVAILABLE', {
    message: 'Cổng không nhận thông báo chuyển khoản thử, vui lòng thử lại',
    retryAfterSeconds: 2,
  })
