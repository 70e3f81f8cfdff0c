import { formatNumber } from '#contract/money.ts'
import { Refusal } from '#server/platform/http/refusal.ts'

export const insufficientBalance = () => new Refusal('INSUFFICIENT_BALANCE')

/** The refusal of a purchase whose price was compared with the balance beforehand, so that it names the missing amount. */
export const coinsMissing = (missing: number) =>
  new Refusal('INSUFFICIENT_BALANCE', {
    message: `Bạn còn thiếu: ${formatNumber(missing)}, vui lòng nạp thêm tiền`,
  })
