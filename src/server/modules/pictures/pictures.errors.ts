import { invalidField, Refusal } from '#server/platform/http/refusal.ts'

export const noPicture = (): Refusal => invalidField('picture', 'Vui lòng chọn ảnh')

type Use = { id: string; title: string }

export const pictureInUse = (posts: readonly Use[]): Refusal =>
  new Refusal('CONFLICT', {
    message: `Ảnh đang được dùng trong bài “${posts[0]?.title}” (bài, bản nháp hoặc bản lưu cũ), chưa thể xóa`,
    present: { posts },
  })
