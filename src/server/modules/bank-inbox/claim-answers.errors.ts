import { invalidField, Refusal } from '#server/platform/http/refusal.ts'

export const unknownClaim = () => invalidField('claim_id', 'Không tìm thấy yêu cầu này')

export const claimAnswered = () =>
  new Refusal('CONFLICT', { message: 'Yêu cầu này đã được trả lời theo cách khác' })

export const onlySettledByTransfer = () =>
  invalidField('bank_transaction_id', 'Chỉ yêu cầu được xử lý mới gắn với khoản chuyển')

export const transferNotCredited = () =>
  invalidField('bank_transaction_id', 'Khoản chuyển này chưa được cộng vào ví của người chơi')

export const transferTaken = () =>
  invalidField('bank_transaction_id', 'Khoản chuyển này đã gắn với một yêu cầu khác')
