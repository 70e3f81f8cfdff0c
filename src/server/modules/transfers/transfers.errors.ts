import type { ErrorCode } from '#contract/errors.ts'
import { formatNumber } from '#contract/format.ts'
import { coinsMissing } from '#server/modules/wallet/index.ts'
import { invalidField, Refusal } from '#server/platform/values/errors.ts'

/** A business refusal that the form shows beside the amount. */
const ofAmount = ({ code, message }: { code: ErrorCode; message: string }) =>
  new Refusal(code, { message, errors: { amount: [message] } })

export const tooFewCoins = (missing: number) => ofAmount(coinsMissing(missing))

export const payeeNotFound = () =>
  new Refusal('PAYEE_NOT_FOUND', { errors: { payee: ['Không tìm thấy người nhận'] } })

export const payeeIsPayer = () => invalidField('payee', 'Bạn không thể chuyển TCoin cho chính mình')

export const belowMinimum = (minimum: number) =>
  invalidField('amount', `Số TCoin chuyển tối thiểu là ${formatNumber(minimum)}`)

export const feeNotCovered = (fee: number) =>
  invalidField('amount', `Số TCoin chuyển phải đủ trả phí kích hoạt ${formatNumber(fee)} cho người nhận`)

export const overDailyLimit = ({ limit, left }: { limit: number; left: number }) =>
  ofAmount({
    code: 'LIMIT_EXCEEDED',
    message: `Hạn mức chuyển mỗi ngày là ${formatNumber(limit)} TCoin, hôm nay bạn còn được chuyển ${formatNumber(left)} TCoin`,
  })

export const otpRequired = (limit: number) =>
  new Refusal('OTP_REQUIRED', {
    message: `Vui lòng xác thực mã OTP trước khi chuyển trên ${formatNumber(limit)} TCoin`,
  })

export const phoneNotVerified = (limit: number) =>
  new Refusal('OTP_REQUIRED', {
    message: `Để chuyển trên ${formatNumber(limit)} TCoin, trước hết bạn cần xác thực số điện thoại trong Hồ sơ`,
  })

/** An operator's switch does not flip back within seconds, so programs have to wait long before they try again. */
const DISABLED_RETRY_SECONDS = 3_600

export const transferDisabled = () =>
  new Refusal('DISABLED', {
    message: 'Tính năng chuyển TCoin đang tạm ngừng, vui lòng quay lại sau',
    retryAfterSeconds: DISABLED_RETRY_SECONDS,
  })
