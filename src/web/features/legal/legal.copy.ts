export const legalCopy = {
  descriptions: {
    terms:
      'Quyền và nghĩa vụ khi dùng cổng: tài khoản, TCoin, vật phẩm trong game và những việc không được làm.',
    privacy:
      'Cổng lưu dữ liệu cá nhân nào, để làm gì, trong bao lâu và bạn có những quyền gì với dữ liệu đó.',
    refunds: 'Khi nào TCoin hoặc tiền nạp được hoàn lại, cách gửi yêu cầu và thời hạn trả lời.',
  },
  version: (number: number, day: string) => `Bản ${number}, áp dụng từ ${day}.`,
  old: (number: number, day: string) => `Đây là bản ${number}, phát hành ngày ${day}, không còn áp dụng.`,
  toCurrent: (number: number) => `Đọc bản đang áp dụng (bản ${number})`,
  toOlder: (number: number) => `Đọc bản trước (bản ${number})`,
  more: 'Văn bản liên quan',
  operator: 'Đơn vị vận hành và độ tuổi',
} as const
