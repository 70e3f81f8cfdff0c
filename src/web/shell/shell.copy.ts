/** The texts of the frame around every page. */
export const shellCopy = {
  skip: 'Đến nội dung chính',
  mainNav: 'Chính',
  menu: 'Danh mục',
  closeMenu: 'Đóng danh mục',
  community: 'Box Zalo',
  events: 'Sự kiện',
  download: 'Tải game',
  offline: 'Bạn đang ngoại tuyến. Kiểm tra kết nối mạng, trang sẽ tự tiếp tục khi có mạng trở lại.',

  /** Two short lines beside the buttons of a narrow phone. */
  visitor: ['Chào bạn', 'ghé làng!'],
  login: 'Đăng nhập',
  register: 'Đăng ký',
  /** The server's name follows. */
  player: 'Chào, máy chủ ',
  balance: 'Số dư: ',
  account: 'Tài khoản',
  statement: 'Lịch sử giao dịch',
  purchases: 'Món đã mua',
  transfer: 'Chuyển TCoin',
  logout: 'Đăng xuất',

  banTitle: 'Thông báo khóa',
  banned: (end: string) => `Tài khoản bị khóa giao dịch ${end}.`,
  banReason: (sentence: string) => ` Lý do: ${sentence}`,
  banAllows: ' Bạn vẫn có thể đọc tin và xem lịch sử của mình.',
  activation: 'Kích hoạt tài khoản',
  notActivated: 'Tài khoản chưa kích hoạt.',
  activateFor: (fee: string | null) => ` Kích hoạt một lần${fee ? ` với ${fee} TCoin` : ''} để giao dịch.`,
  activate: 'Kích hoạt',

  footer: 'Cuối trang',
  pixelSettings: 'Quyền riêng tư quảng cáo',
  gemCalculator: 'Tính giá nâng ngọc',
} as const
