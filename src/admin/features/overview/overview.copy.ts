import type { AlarmName } from '#contract/operator/alarms.ts'
import type { StatisticsPeriod } from '#contract/operator/statistics.ts'

export const overviewCopy = {
  title: 'Tổng quan',
  today: 'Hôm nay',
  waits: 'Việc đang chờ',
  nothing: 'Không có gì bất thường và không có việc nào đang chờ.',
  since: (moment: string) => `từ ${moment}`,
  checked: (moment: string) => `lần kiểm tra ${moment}`,
  runbook: (file: string) => `Hướng dẫn: docs/runbooks/${file}`,
  open: 'Mở',
  many: 'từ 1,000',
  figures: 'Số liệu',
  from: 'Từ ngày',
  to: 'Đến ngày',
  by: 'Theo',
  moneyIn: 'Tiền vào',
  momo: 'MoMo',
  vietcombank: 'Vietcombank',
  acb: 'ACB',
  other: 'Không có đơn',
  issued: 'TCoin phát ra',
  spent: 'TCoin đã tiêu',
  refunded: 'TCoin hoàn lại',
  inWallets: 'TCoin trong ví',
  held: 'TCoin đang giữ',
  debts: 'TCoin người chơi nợ',
  luong: 'Lượng đã giao',
  newPlayers: 'Người chơi mới',
  activePlayers: 'Người chơi hoạt động',
  firstRecharges: 'Nạp lần đầu',
  unmatched: 'Tiền chưa ghép lâu nhất',
  none: 'Không có',
  period: 'Kỳ',
  computed: (moment: string) => `Tính đến ${moment}. Giờ, ngày, tuần và tháng theo giờ Việt Nam.`,
  notComputed: 'Số liệu chưa được tính. Tiến trình nền tính mỗi phút một lần.',
  chart: (name: string) => `Biểu đồ ${name.toLowerCase()}, cùng số liệu với bảng bên dưới`,
  highest: (value: string) => `cao nhất ${value}`,
} as const

export const periodLabels: Record<StatisticsPeriod, string> = {
  hour: 'Giờ',
  day: 'Ngày',
  week: 'Tuần',
  month: 'Tháng',
}

/** What each alarm says, and the screen where it is dealt with. */
export const alarmTexts: Record<AlarmName, { label: string; to: string | null }> = {
  'unmatched-transfers': { label: 'Khoản chuyển chưa ghép quá 1 giờ', to: '/bank-transfers' },
  'unread-payment-events': { label: 'Thông báo thanh toán chưa được xử lý', to: '/payment-events' },
  'waiting-claims': { label: 'Yêu cầu kiểm tra khoản nạp', to: '/recharge-claims' },
  'waiting-credits': { label: 'Khoản cộng chờ người thứ hai', to: '/bank-transfers' },
  'waiting-refunds': { label: 'Hoàn tiền qua MoMo chưa có kết quả', to: '/bank-transfers' },
  'parked-deliveries': { label: 'Món giao bị treo', to: '/deliveries?state=parked' },
  'late-deliveries': { label: 'Món giao chậm quá 5 phút: máy chủ game không trả lời', to: '/deliveries' },
  'red-closes': { label: 'Ngày đối soát lệch', to: '/daily-closes?status=red' },
  'waiting-proposals': { label: 'Đề xuất chờ duyệt', to: '/proposals' },
  'failed-mails': { label: 'Thư gửi không được', to: null },
  'audit-chain-broken': { label: 'Nhật ký vận hành bị thay đổi', to: '/audit' },
  'ledger-broken': {
    label: 'Sổ sách không khớp: sổ cái, đơn nạp, giao hàng hoặc thông báo',
    to: '/reconciliation',
  },
  'one-person': { label: 'Đang tắt quy tắc hai người (TWO_PEOPLE=0)', to: '/settings/money' },
}
