export const newcomerCopy = {
  title: 'Ba bước cho người mới',
  steps: ['Nạp', 'Kích hoạt', 'Nhận quà'],
  /** For those whom the starter gift is of no use to. */
  stepsBeyond: ['Nạp', 'Kích hoạt', 'Đổi lượng'],
  done: '(xong)',
  texts: (fee: string) => [
    `Tài khoản chưa kích hoạt. Nạp đủ ${fee} TCoin để bắt đầu.`,
    `Tài khoản chưa kích hoạt. Kích hoạt một lần với ${fee} TCoin để giao dịch.`,
    'Chọn gói quà tân thủ cho nhân vật của bạn.',
  ],
  beyond: 'Nhân vật của bạn đã vượt xa tân thủ: đổi lượng để đi tiếp.',
  hide: 'Ẩn hướng dẫn này',
  actions: ['Nạp TCoin', 'Kích hoạt', 'Xem quà'],
} as const
