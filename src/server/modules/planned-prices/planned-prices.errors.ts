import { formatMoment } from '#contract/format.ts'
import { invalidField, Refusal } from '#server/platform/values/errors.ts'

const conflict = (message: string, present?: object) => new Refusal('CONFLICT', { message, present })

export const overlapping = (other: { starts_at: string; ends_at: string | null }) =>
  conflict(
    other.ends_at === null
      ? `Giá này đã có lịch đổi hẳn từ ${formatMoment(other.starts_at)}, hãy hủy lịch đó trước`
      : `Giá này đã có lịch từ ${formatMoment(other.starts_at)} đến ${formatMoment(other.ends_at)}, hãy chọn thời gian khác`,
  )

export const tooManyPlans = (most: number) =>
  conflict(`Chỉ giữ được ${most} lịch đang mở, hãy hủy bớt trước khi thêm`)

export const notPlanned = (present: object) =>
  conflict('Lịch này đã bắt đầu hoặc đã đóng nên không hủy được, vui lòng tải lại trang', present)

export const sameValue = () => invalidField('value', 'Giá đang là giá trị này')

export const wrongValue = (message: string) => invalidField('value', message)

export const startPassed = () => invalidField('starts_at', 'Giờ bắt đầu phải ở sau lúc này')

export const endTooEarly = () => invalidField('ends_at', 'Giờ kết thúc phải sau giờ bắt đầu')

export const tooFar = (field: 'starts_at' | 'ends_at', days: number) =>
  invalidField(field, `Chỉ hẹn trước được tối đa ${days} ngày`)

export const startsBeforeDecision = (decidedAt: string) =>
  invalidField(
    'starts_at',
    `Không có người thứ hai nên lịch này chỉ có hiệu lực từ ${formatMoment(decidedAt)}, hãy hẹn sau lúc đó`,
  )
