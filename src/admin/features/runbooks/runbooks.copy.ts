export const runbooksCopy = {
  note: 'Mỗi cảnh báo có một mục: nghĩa là gì, làm gì ở đây, khi nào gọi kỹ thuật. Chữ đậm là chữ bạn thấy trên màn hình; tên một trang là đường dẫn đến trang đó. Mỗi thao tác hỏi lý do, và có thể hỏi mã xác thực hai lớp. “Kỹ thuật” là người quản trị máy chủ.',
  all: 'Mọi sổ tay',
  missing: 'Không có sổ tay này',
  alarms: 'Khi có cảnh báo',
  machine: 'Việc của người quản trị máy chủ',
  machineNote: 'Viết bằng tiếng Anh, vì tên lệnh và nhật ký cũng vậy.',
  engineers: 'Phần của kỹ thuật',
  operators: 'Phần của người vận hành',
  namesInMessages: 'Tên trong tin báo: ',
  opens: (roles: string) => `(người mở được: ${roles})`,
} as const

/** Files of docs/runbooks/vi, which have their titles, in the order of the harm that they are about. */
export const ALARM_RUNBOOKS = [
  'audit',
  'ledger',
  'daily-close',
  'money-in',
  'deliveries',
  'game-accounts',
  'failed-work',
  'client-errors',
  'backup',
  'claims',
  'two-people',
  'personal-data',
  'mail',
  'watch',
] as const

/** What the other files in docs/runbooks are about. */
export const machineRunbooks = {
  install: 'Cài đặt',
  'connect-a-game': 'Nối game với cổng trong một giờ',
  'moving-in': 'Chuyển tài khoản của game sang cổng',
  upgrade: 'Nâng cấp',
  restore: 'Phục hồi',
  secrets: 'Đổi mật khẩu và khóa bí mật',
  failover: 'Chuyển sang cơ sở dữ liệu dự phòng',
  partitions: 'Chia bảng lớn',
  sms: 'Tin nhắn SMS',
} as const
