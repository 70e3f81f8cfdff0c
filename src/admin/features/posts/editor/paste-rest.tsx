import type { Editor } from '@tiptap/core'
import { PictureDialog } from '#admin/features/posts/pictures/picture-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { insertPictures } from './insert-pictures.ts'
import { LEFT_OUT, type LeftOut } from './pasted-html.ts'
import { usePaste } from './use-paste.ts'

const copy = {
  title: 'Phần không dán được',
  close: 'Đã rõ',
  pictureTitle: 'Tải ảnh vừa dán lên',
  noPictures: (count: number) => `${count} ảnh: văn bản này chỉ có chữ.`,
  leftOut: {
    foreignPictures: (count) =>
      `${count} ảnh nằm ở trang khác: hãy lưu ảnh về máy rồi thêm bằng nút “Ảnh”, vì trang kia có thể gỡ ảnh bất cứ lúc nào.`,
    unreadablePictures: (count) =>
      `${count} ảnh hoặc tệp mà trình duyệt không đọc được (ảnh trong tệp Word chẳng hạn): hãy lưu ảnh ra máy rồi thêm bằng nút “Ảnh”.`,
    films: (count) => `${count} video, âm thanh hoặc khung nhúng: hãy đặt liên kết đến đó.`,
    drawings: (count) => `${count} hình vẽ hoặc công thức: hãy chụp lại thành ảnh rồi thêm bằng nút “Ảnh”.`,
    fields: (count) => `${count} ô nhập liệu của biểu mẫu.`,
    links: (count) => `${count} liên kết có địa chỉ không dùng được trong bài: chữ của liên kết vẫn còn.`,
    raisedLetters: (count) => `${count} chỗ có chữ nâng lên hoặc hạ xuống: chữ vẫn còn, ở dòng thường.`,
    comments: (count) => `${count} phần nhận xét của Word.`,
    formats: () => 'Phông chữ, cỡ chữ, màu chữ và căn lề: bài viết theo kiểu chữ chung của trang.',
  } satisfies Record<keyof LeftOut, (count: number) => string>,
} as const

/** Below the editor's tools: what of a paste did not arrive and why, and the pictures that are still to be uploaded. */
export function PasteRest({ editor, isTextOnly = false }: { editor: Editor; isTextOnly?: boolean }) {
  const { rest, uploaded, dismiss } = usePaste(editor)
  if (rest === null) return null
  const { leftOut, pictures } = rest
  if (pictures.length > 0 && !isTextOnly)
    return (
      <PictureDialog
        title={copy.pictureTitle}
        start={pictures}
        onChosen={(chosen) => insertPictures(editor, chosen)}
        onClose={uploaded}
      />
    )
  const lines = LEFT_OUT.flatMap((what) =>
    leftOut[what] === undefined ? [] : [copy.leftOut[what](leftOut[what])],
  )
  if (pictures.length > 0) lines.unshift(copy.noPictures(pictures.length))
  return (
    <div role="status" className="border-b border-line bg-sunken p-3 text-sm">
      <p className="font-bold">{copy.title}</p>
      <ul className="list-disc pl-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Button kind="text" onClick={dismiss}>
        {copy.close}
      </Button>
    </div>
  )
}
