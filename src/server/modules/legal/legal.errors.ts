import { invalidField, Refusal } from '#server/platform/http/refusal.ts'

export const emptyText = (): Refusal => invalidField('content', 'Nội dung không được bỏ trống')

export const hasPictures = (): Refusal =>
  invalidField('content', 'Văn bản này chỉ gồm chữ, hãy bỏ ảnh trong nội dung')

export const unchangedText = (): Refusal =>
  invalidField('content', 'Nội dung giống hệt bản đang áp dụng, không cần phát hành bản mới')

export const publishedMeanwhile = (present: object): Refusal =>
  new Refusal('CONFLICT', {
    message: 'Người khác vừa phát hành bản mới. Hãy xem bản đang áp dụng rồi phát hành lại',
    present,
  })
