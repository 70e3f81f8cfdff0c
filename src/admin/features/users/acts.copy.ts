export const actsCopy = {
  ban: 'Khóa',
  banTitle: (name: string) => `Khóa ${name}`,
  banMany: 'Khóa các người chơi đã chọn',
  banText:
    'Người chơi đọc được lí do. Khóa đăng nhập làm mọi phiên kết thúc ngay; khóa giao dịch vẫn cho đăng nhập và đọc lịch sử.',
  scope: 'Khóa gì',
  scopes: { 'sign-in': 'Đăng nhập', trading: 'Giao dịch' },
  until: 'Đến lúc (giờ Việt Nam)',
  untilHint: 'Để trống là khóa vĩnh viễn.',
  lift: { 'sign-in': 'Mở khóa đăng nhập', trading: 'Mở khóa giao dịch' },
  liftText: 'Người chơi dùng lại được ngay.',
  endSessions: 'Kết thúc các phiên',
  endSessionsText: 'Người chơi bị đăng xuất trên mọi thiết bị và phải đăng nhập lại.',
  sendReset: 'Gửi thư đặt lại mật khẩu',
  sendResetText: (address: string) =>
    `Đường dẫn đặt mật khẩu mới được gửi đến ${address}, dùng được một lần trong 30 phút.`,
  noEmail: 'Tài khoản chưa có email nên không gửi được thư.',
  adjust: 'Điều chỉnh số dư',
  adjustText: (balance: string) =>
    `Số dư hiện tại: ${balance} TCoin. Nhập số âm để trừ. Tiền cộng vào trả nợ trước; trên hạn mức thì cần người thứ hai duyệt.`,
  amount: 'Số TCoin',
  reveal: 'Xem liên hệ đầy đủ',
  revealText: 'Email và số điện thoại hiện đầy đủ trong ô này. Việc xem được ghi vào nhật ký vận hành.',
  removeFactor: 'Gỡ xác thực hai lớp',
  removeFactorText:
    'Chỉ dùng khi người chơi đã mất cả ứng dụng lẫn mã khôi phục và đã được xác minh bằng cách khác. Cần người thứ hai duyệt.',
  revealed: 'Liên hệ đầy đủ',
  email: 'Email',
  phone: 'Điện thoại',
  none: 'Chưa có',
  close: 'Đóng',
} as const

export const panelsCopy = {
  noNotes: 'Chưa có ghi chú nào về người chơi này.',
  sessions: 'Phiên đang mở',
  noSessions: 'Không có phiên nào đang mở.',
  session: (device: string, place: string) => `${device}, ${place}`,
  kinds: { player: 'trang người chơi', console: 'trang vận hành' },
  lastUsed: (at: string) => `dùng lần cuối ${at}`,
  signIns: 'Các lần đăng nhập',
  noSignIns: 'Không có lần đăng nhập nào trong 90 ngày.',
  outcomes: {
    succeeded: 'Thành công',
    'wrong-password': 'Sai mật khẩu',
    'wrong-second-factor': 'Sai mã hai lớp',
  },
  newDevice: 'thiết bị mới',
} as const
