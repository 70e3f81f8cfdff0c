/** What is the same of a draft, whatever it is a draft of. */
export const draftCopy = {
  clean: 'Chưa có thay đổi',
  waiting: 'Có thay đổi chưa lưu nháp',
  saving: 'Đang lưu nháp…',
  kept: (time: string) => `Đã lưu nháp lúc ${time}. Người chơi chưa thấy thay đổi này.`,
  failed: 'Chưa lưu được bản nháp, sẽ thử lại',
  resumed: (time: string) => `Đang viết tiếp bản nháp lưu lúc ${time}.`,
  drop: 'Bỏ bản nháp',
} as const
