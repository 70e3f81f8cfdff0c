import { draftCopy } from '#admin/features/posts/draft.tsx'

export const legalCopy = {
  lead: 'Mỗi lần phát hành tạo một bản mới có số; các bản cũ vẫn đọc được trên cổng. Người chơi đã đồng ý với bản cũ được hỏi một lần về bản mới.',
  byDefault:
    'Đây là văn bản mặc định đi kèm cổng. Nó mô tả đúng những gì chương trình làm, nhưng cần luật sư đọc và sửa cho đơn vị của bạn trước khi mở cổng.',
  version: (number: number) => `Bản ${number}`,
  publishedAt: (moment: string, by: string | undefined) =>
    `Áp dụng từ ${moment}, ${by === undefined ? 'đi kèm cổng' : `người phát hành: ${by}`}`,
  edit: 'Soạn bản mới',
  onSite: 'Mở trên cổng',
  versions: 'Các bản',
  preview: 'Xem trước',
  previewNote: 'Bản nháp như người chơi sẽ đọc.',
  publish: 'Phát hành',
  publishTitle: (number: number) => `Phát hành bản ${number}`,
  publishNote: 'Bản mới có hiệu lực ngay và không sửa được nữa. Người chơi được hỏi một lần khi mở cổng.',
  behind: (based: number, current: number) =>
    `Bản nháp này bắt đầu từ bản ${based}, trong khi bản ${current} đã được phát hành. Hãy so sánh trước khi phát hành.`,
  text: 'Soạn nội dung',
  draft: {
    ...draftCopy,
    conflict: 'Chưa lưu được bản nháp',
    dropWarning: 'Những gì chưa phát hành bị bỏ, nội dung trở lại như bản đang áp dụng.',
  },
} as const
