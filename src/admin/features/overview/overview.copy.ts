import type { AlarmName } from '#contract/operator/alarms.ts'
import type { StatisticsPeriod } from '#contract/operator/statistics.ts'

export const overviewCopy = {
  title: 'Tổng quan',
  today: 'Hôm nay',
  waits: 'Việc đang chờ',
  nothing: 'Không có gì bất thường và không có việc nào đang chờ.',
  since: (moment: string) => `từ ${moment}`,
  checked: (moment: string) => `lần kiểm tra ${moment}`,
  runbook: (name: string, file: string) => `Sổ tay “${name}” (docs/runbooks/${file})`,
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
  minutes: (count: number) => `${count} phút`,
  hours: (count: number) => `${count} giờ`,
  days: (count: number) => `${count} ngày`,
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

type AlarmText = {
  label: string
  /** What to do about it. */
  next: string
  /** The screen where that is done. */
  to: string | null
}

export const alarmTexts: Record<AlarmName, AlarmText> = {
  'unmatched-transfers': {
    label: 'Khoản chuyển chưa ghép quá 1 giờ',
    next: 'Mở từng khoản, xem gợi ý bên cạnh rồi ghép với đơn hoặc cộng cho người chơi.',
    to: '/bank-transfers?state=review',
  },
  'unread-payment-events': {
    label: 'Thông báo thanh toán chưa được xử lý',
    next: 'Đối chiếu với sao kê rồi nhận là thật hoặc bác bỏ.',
    to: '/payment-events',
  },
  'waiting-claims': {
    label: 'Yêu cầu kiểm tra khoản nạp',
    next: 'Xem biên lai bên cạnh các khoản có thể, rồi cộng tiền hoặc trả lời người chơi.',
    to: '/recharge-claims?status=open',
  },
  'waiting-credits': {
    label: 'Khoản cộng chờ người thứ hai',
    next: 'Một người khác với người đề xuất mở ra để duyệt hoặc bác.',
    to: '/bank-transfers',
  },
  'waiting-refunds': {
    label: 'Hoàn tiền qua MoMo chưa có kết quả',
    next: 'Cổng tự hỏi lại MoMo; quá một ngày thì kiểm tra trên trang của MoMo.',
    to: '/gateway-refunds?state=asked',
  },
  'parked-deliveries': {
    label: 'Món giao bị treo',
    next: 'Hỏi game xem đã giao chưa, rồi gửi lại hoặc hoàn TCoin.',
    to: '/deliveries?state=parked',
  },
  'late-deliveries': {
    label: 'Món giao chậm quá 5 phút',
    next: 'Xem máy chủ game có trả lời không; khi nó chạy lại, cổng tự gửi tiếp.',
    to: '/deliveries?open=true',
  },
  'red-closes': {
    label: 'Ngày đối soát lệch',
    next: 'Xem mục không khớp của ngày đó, sửa ở khoản chuyển rồi đọc lại sao kê.',
    to: '/daily-closes?status=red',
  },
  'waiting-proposals': {
    label: 'Đề xuất chờ duyệt',
    next: 'Đọc lí do và thay đổi, rồi duyệt hoặc bác những đề xuất của người khác.',
    to: '/proposals',
  },
  'due-deletions': {
    label: 'Yêu cầu xóa tài khoản sắp hoặc đã quá hạn',
    next: 'Xem điều gì còn dở với người chơi đó, rồi xóa tài khoản hoặc từ chối kèm lí do.',
    to: '/deletion-requests?state=waiting',
  },
  'failed-mails': {
    label: 'Thư gửi không được',
    next: 'Báo người quản trị máy chủ kiểm tra SMTP_URL và nhật ký của máy chủ thư.',
    to: null,
  },
  'audit-chain-broken': {
    label: 'Nhật ký vận hành bị thay đổi',
    next: 'Kiểm tra chuỗi để biết dòng nào bị sửa, giữ nguyên cơ sở dữ liệu và báo chủ sở hữu.',
    to: '/audit',
  },
  'ledger-broken': {
    label: 'Sổ sách không khớp: sổ cái, đơn nạp, giao hàng hoặc thông báo',
    next: 'Xem quy tắc nào sai và ở dòng nào; không điều chỉnh số dư trước khi rõ nguyên nhân.',
    to: '/reconciliation',
  },
  'one-person': {
    label: 'Đang tắt quy tắc hai người (TWO_PEOPLE=0)',
    next: 'Khi có chủ sở hữu thứ hai, bỏ TWO_PEOPLE=0 khỏi cấu hình máy chủ và khởi động lại.',
    to: '/staff',
  },
}

/** What the runbooks in docs/runbooks are about. */
export const runbookNames: Record<string, string> = {
  'audit.md': 'nhật ký vận hành',
  'claims.md': 'yêu cầu kiểm tra',
  'daily-close.md': 'chốt ngày',
  'deliveries.md': 'giao hàng',
  'ledger.md': 'sổ cái',
  'mail.md': 'thư',
  'money-in.md': 'tiền vào',
  'two-people.md': 'hai người',
}
