import { invalidField, Refusal } from '#server/platform/http/refusal.ts'

export const amountNotOnOffer = () =>
  invalidField('amount', 'Mệnh giá này hiện không được đổi, vui lòng chọn mệnh giá khác')

export const characterNotFound = () => new Refusal('CHARACTER_NOT_FOUND')
