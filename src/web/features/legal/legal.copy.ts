export const legalCopy = {
  version: (number: number, day: string) => `Bản ${number}, áp dụng từ ${day}.`,
  old: (number: number, day: string) => `Đây là bản ${number}, phát hành ngày ${day}, không còn áp dụng.`,
  toCurrent: (number: number) => `Đọc bản đang áp dụng (bản ${number})`,
  toOlder: (number: number) => `Đọc bản trước (bản ${number})`,
  more: 'Văn bản liên quan',
  operator: 'Đơn vị vận hành và độ tuổi',
} as const
