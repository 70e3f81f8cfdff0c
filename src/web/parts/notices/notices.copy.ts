export const noticesCopy = {
  unread: 'Chưa đọc',
  readAll: 'Đánh dấu đã đọc',
  all: 'Xem tất cả',
  more: 'Xem thêm',
  none: 'Chưa có thông báo nào',
  noneText: 'Khi TCoin được cộng hay món bạn mua vào nhân vật, bạn sẽ thấy ở đây.',
  lead: 'Những gì đã xảy ra với tài khoản của bạn trong 180 ngày qua.',
  preferences: 'Nhận thông báo về',
  reminders: 'Thư nhắc về giải đấu',
  preferencesText: 'Thư về bảo mật và giao dịch vẫn được gửi, kể cả khi bạn tắt thông báo trên cổng.',
  ways: 'Nhận bằng cách nào',
  digest: 'Thư mỗi ngày về thông báo chưa đọc',
  digestText: 'Nhiều nhất một thư mỗi ngày, gửi đến email đã xác thực. Tắt được bất cứ lúc nào.',
  push: 'Nhận thông báo trên máy này',
  pushText: 'Kể cả khi bạn không mở cổng. Đăng xuất hoặc tắt ở đây là không nhận nữa.',
  pushBlocked:
    'Trình duyệt đang chặn thông báo của cổng. Hãy cho phép trong cài đặt của trình duyệt rồi mở lại trang.',
  pushUnsupported:
    'Trình duyệt này chưa nhận được thông báo. Trên iPhone, hãy thêm cổng vào màn hình chính rồi mở từ đó.',
  pushNotLoaded: 'Chưa tải được phần nhận thông báo trên máy này',
  pushInApp: (at: string) => `Bạn đang xem ${at}, nơi không bật được thông báo.`,
  pushFailed: 'Chưa bật được thông báo trên máy này, hãy thử lại sau.',
} as const
