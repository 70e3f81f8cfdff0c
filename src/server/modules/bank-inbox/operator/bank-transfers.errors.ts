import { formatNumber } from '#contract/format.ts'
import { REFUND_MAX_VND, REFUND_MIN_VND } from '#contract/operator/gateway-refunds.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'

export const alreadyHandled = () =>
  conflict('Khoản tiền này vừa được xử lý hoặc không còn chờ kiểm tra, vui lòng tải lại trang')

export const waitsForSecondPerson = () =>
  conflict('Khoản tiền này đang chờ người thứ hai duyệt, chưa thể làm việc khác')

export const waitsForMomo = () =>
  conflict('Khoản tiền này đang chờ MoMo trả lời về một lần hoàn tiền, chưa thể làm việc khác')

export const partlyRefunded = () =>
  conflict('Một phần khoản tiền này đã hoàn qua MoMo nên không thể cộng, chỉ có thể hoàn nốt phần còn lại')

export const stillCredited = () =>
  conflict('Khoản tiền này đã được cộng, hãy hủy lần cộng trước khi hoàn tiền qua MoMo')

export const notPaidAtMomo = () =>
  new Refusal('VALIDATION', {
    message: 'Khoản tiền này không đến qua cổng MoMo nên không thể hoàn qua MoMo',
  })

export const gatewayClosed = () =>
  new Refusal('DISABLED', {
    message: 'Cổng chưa được cấu hình để hoàn tiền qua MoMo',
    retryAfterSeconds: 600,
  })

export const wrongRefundAmount = (left: number) =>
  invalidField(
    'amount',
    `Mỗi lần hoàn từ ${formatNumber(REFUND_MIN_VND)} đến ${formatNumber(REFUND_MAX_VND)} VND; khoản này còn ${formatNumber(left)} VND có thể hoàn`,
  )

export const refusedByMomo = (resultCode: number | null) =>
  conflict(
    resultCode === null
      ? 'Yêu cầu hoàn tiền không đến được MoMo, tiền chưa được hoàn; bạn có thể thử lại'
      : `MoMo từ chối hoàn tiền (mã ${resultCode}), khoản tiền giữ nguyên như trước`,
  )

export const notIncoming = () => conflict('Đây là tiền ra khỏi tài khoản, chỉ có thể liên kết thu hồi')

export const notOutgoing = () => conflict('Chỉ tiền ra khỏi tài khoản mới có thể liên kết thu hồi')

export const notCredited = () => conflict('Khoản tiền này chưa được cộng nên không có gì để hủy')

export const nothingWaits = () => conflict('Không có đề xuất nào đang chờ duyệt')

export const ownProposal = () =>
  conflict('Người đề xuất không thể tự duyệt hay bác đề xuất của mình, cần một người khác')

export const othersProposal = () => conflict('Chỉ người đề xuất mới có thể rút đề xuất')

export const ownMoney = () =>
  conflict('Bạn không thể tự cộng TCoin cho chính mình, cần một người khác thực hiện')

export const unknownOrder = () => invalidField('order_code', 'Không tìm thấy đơn nạp này')

export const orderAlreadyCredited = () =>
  invalidField('order_code', 'Đơn này đã được cộng, hãy cộng cho người chơi như một lần nạp mới')

export const unknownPlayer = (field: 'username' | 'user_id') =>
  invalidField(field, 'Không tìm thấy người chơi này')

export const onePlayer = () => invalidField('username', 'Vui lòng nhập tên đăng nhập hoặc mã người chơi')

export const tooManyCoins = () =>
  new Refusal('LIMIT_EXCEEDED', { message: 'Số tiền quá lớn để cộng thành TCoin' })

export const noSuchDay = () => invalidField('refunded_on', 'Ngày hoàn tiền không hợp lệ')

export const unknownOriginal = () => invalidField('original_id', 'Không tìm thấy khoản tiền vào này')

export const otherAmount = (amount: number) =>
  invalidField('original_id', `Khoản tiền vào phải cùng tài khoản và đúng ${formatNumber(amount)} VND`)

export const alreadyReversed = () =>
  invalidField('original_id', 'Khoản tiền vào này đã được liên kết với một lần thu hồi khác')

export const unreadableEvent = () =>
  conflict('Thông báo này không đủ tài khoản và số tiền, chỉ có thể bác bỏ')

export const sentAgainInTime = () =>
  conflict('Thông báo này đã được gửi lại đúng hạn, hãy xử lý khoản tiền của thông báo đó')

export const owesNothing = () => conflict('Người chơi này không còn nợ, hoặc ví không có gì để trả')
