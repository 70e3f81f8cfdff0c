import { invalidField, type Refusal } from '#server/platform/values/errors.ts'

export const emptyContent = (): Refusal => invalidField('content', 'Nội dung không được bỏ trống')

export const emptyTitle = (): Refusal => invalidField('title', 'Không được bỏ trống')

export const unknownCategory = (): Refusal => invalidField('category_ids', 'Chuyên mục không tồn tại')

export const unknownPicture = (field: 'content' | 'cover'): Refusal =>
  invalidField(field, 'Ảnh này không còn, hãy tải lên lại')

export const tooManyCategories = (max: number): Refusal =>
  invalidField('title', `Chỉ có thể có tối đa ${max} chuyên mục`)
