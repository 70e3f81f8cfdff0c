import { CLAIM_AGE_DAYS_MAX, OPEN_CLAIMS_MAX } from '#contract/recharge-claims.ts'
import { invalidField, Refusal } from '#server/platform/values/errors.ts'

export const paidInTheFuture = () => invalidField('paid_at', 'Thời gian chuyển khoản chưa tới')

export const paidTooLongAgo = () =>
  invalidField('paid_at', `Chỉ nhận khoản chuyển trong ${CLAIM_AGE_DAYS_MAX} ngày gần đây`)

export const tooManyOpenClaims = () =>
  new Refusal('LIMIT_EXCEEDED', {
    message: `Bạn đang có ${OPEN_CLAIMS_MAX} yêu cầu chờ kiểm tra, vui lòng đợi đội vận hành trả lời`,
  })
