export const runbooksCopy = {
  note: 'Phải làm gì khi có cảnh báo, và việc của người quản trị máy chủ. Viết bằng tiếng Anh, vì tên lệnh và nhật ký cũng vậy.',
  all: 'Mọi sổ tay',
  missing: 'Không có sổ tay này',
  alarms: 'Khi có cảnh báo',
  machine: 'Việc của người quản trị máy chủ',
} as const

/** What the files in docs/runbooks are about; those that alarms name first. */
export const runbookNames = {
  alarms: {
    audit: 'Nhật ký vận hành không nguyên vẹn',
    ledger: 'Sổ cái không khớp',
    'daily-close': 'Chốt ngày và đối soát',
    'money-in': 'Tiền vào',
    deliveries: 'Giao hàng',
    'game-accounts': 'Game và tài khoản',
    'failed-work': 'Việc đến hạn làm không được',
    'client-errors': 'Lỗi trên trình duyệt của người xem',
    backup: 'Sao lưu',
    claims: 'Yêu cầu kiểm tra khoản nạp',
    'two-people': 'Việc chờ người thứ hai',
    'personal-data': 'Dữ liệu cá nhân và xóa tài khoản',
    mail: 'Thư không gửi được',
  },
  machine: {
    watch: 'Theo dõi cổng: số đo, cảnh báo, dấu vết',
    install: 'Cài đặt',
    'connect-a-game': 'Nối game với cổng trong một giờ',
    'moving-in': 'Chuyển tài khoản của game sang cổng',
    upgrade: 'Nâng cấp',
    restore: 'Phục hồi',
    secrets: 'Đổi mật khẩu và khóa bí mật',
    failover: 'Chuyển sang cơ sở dữ liệu dự phòng',
    partitions: 'Chia bảng lớn',
    sms: 'Tin nhắn SMS',
  },
} as const
