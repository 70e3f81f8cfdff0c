import { SAVED_FILTERS_MAX } from '#contract/operator/saved-filters.ts'
import { invalidField, Refusal } from '#server/platform/http/refusal.ts'

export const nameTaken = () => invalidField('name', 'Danh sách này đã có một bộ lọc với tên này')

export const tooManySaved = () =>
  new Refusal('CONFLICT', {
    message: `Mỗi danh sách lưu được tối đa ${SAVED_FILTERS_MAX} bộ lọc, hãy xóa bớt trước khi lưu thêm`,
  })

export const notTaken = () => invalidField('query', 'Danh sách không nhận bộ lọc hoặc cách sắp xếp này')
