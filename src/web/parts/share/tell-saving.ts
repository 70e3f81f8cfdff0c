import type { Saving } from '#client/save-file.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'

const copy = {
  downloading: 'Đang tải tệp về máy',
  impossible: 'Ứng dụng này không lưu được tệp. Hãy mở cổng bằng Chrome hoặc Safari rồi thử lại.',
} as const

/** Says what is known of a file that was to be saved. What the phone's own sheet did, it showed itself. */
export function tellSaving(saving: Saving, downloading: string = copy.downloading): void {
  if (saving === 'downloading') showToast(downloading)
  if (saving === 'impossible') showToast(copy.impossible)
}
