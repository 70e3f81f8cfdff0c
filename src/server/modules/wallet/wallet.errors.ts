import { formatNumber } from '#contract/money.ts'
import { Refusal } from '#server/platform/http/refusal.ts'

export const insufficientBalance = () => new Refusal('INSUFFICIENT_BALANCE')

/** The refusal of a purchase that was looked at before it was posted, so that it can say what is missing. */
export const coinsMissing = (missing: number) =>
  new Refusal('INSUFFICIENT_BALANCE', {
    message: `Bạn còn thiếu: ${formatNumber(missing)}, vui lòng nạp thêm tiền`,
  })
