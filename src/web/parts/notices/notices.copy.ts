export const noticesCopy = {
  unread: 'Chưa đọc',
  readAll: 'Đánh dấu đã đọc',
  all: 'Xem tất cả',
  more: 'Xem thêm',
  none: 'Chưa có thông báo nào',
  noneText: 'Khi TCoin được cộng hay món bạn mua vào nhân vật, bạn sẽ thấy ở đây.',
  lead: 'Những gì đã xảy ra với tài khoản của bạn trong 180 ngày qua.',
  preferences: 'Nhận thông báo về',
  reminders: 'Thư nhắc điểm danh giải đấu',
  preferencesText: 'Thư về bảo mật và giao dịch vẫn được gửi, kể cả khi bạn tắt thông báo trên cổng.',
} as const
