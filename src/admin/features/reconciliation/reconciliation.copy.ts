import type { ReconciliationRule, ReconciliationRun } from '#contract/operator/reconciliation.ts'

export const reconciliationCopy = {
  title: 'Đối soát sổ sách',
  start: 'Chạy ngay',
  startTitle: 'Đối soát ngay',
  startText:
    'Tiến trình nền đọc toàn bộ sổ cái, đơn nạp, giao hàng và thông báo thanh toán, mất vài giây đến vài phút. Không có gì bị thay đổi.',
  running: (by: string, at: string) => `Đang chạy, do ${by} yêu cầu lúc ${at}.`,
  byJob: 'lịch hằng ngày',
  failed: (at: string) => `Lần chạy lúc ${at} không đi đến cùng. Nhật ký máy chủ ghi vì sao; hãy chạy lại.`,
  never: 'Chưa có lần đối soát nào. Tiến trình nền chạy mỗi ngày một lần.',
  last: 'Lần gần nhất',
  rules: 'Quy tắc',
  at: 'Xong lúc',
  took: 'Mất',
  seconds: (text: string) => `${text} giây`,
  by: 'Do',
  result: 'Kết quả',
  whole: 'Mọi quy tắc đều đúng',
  broken: (count: string) => `${count} chỗ không khớp`,
  holds: 'Đúng',
  first: (count: number) => `${count} chỗ đầu tiên:`,
  runbook: 'Cách xử lí: docs/runbooks/ledger.md. Không sửa số dư bằng SQL.',
  closes: 'Xem chốt ngày, đối soát với sao kê ngân hàng',
  origins: {
    daily: 'Lịch hằng ngày',
    console: 'Người vận hành',
    command: 'Dòng lệnh portal reconcile',
  } satisfies Record<ReconciliationRun['origin'], string>,
  kinds: {
    user: 'Ví của người chơi',
    'ledger-account': 'Tài khoản sổ cái',
    'ledger-transfer': 'Dòng sổ cái',
    'bank-transfer': 'Khoản chuyển',
    'payment-event': 'Thông báo',
    'recharge-order': 'Đơn nạp',
    delivery: 'Lượt giao',
    'idempotency-key': 'Khóa',
  },
  all: 'Toàn bộ sổ cái',
} as const

/** What each rule says when it holds. */
export const ruleTexts: Record<ReconciliationRule, string> = {
  R1: 'Tổng mọi số dư bằng 0',
  R2: 'Mỗi số dư bằng tổng các dòng sổ của nó',
  R3: 'Dòng sổ của mỗi tài khoản được đánh số liên tục',
  R4: 'Mỗi dòng sổ bắt đầu ở số dư mà dòng trước kết thúc',
  R5: 'Không ví nào âm',
  R6: 'Mỗi lần chuyển có đúng hai dòng sổ, cùng số tiền và cùng loại',
  R7: 'Tiền đến, khoản cộng, đơn nạp và lần thu hồi khớp nhau từng cái một',
  R8: 'Trạng thái mỗi lượt giao khớp với sổ cái',
  R9: 'TCoin đang giữ bằng tổng các lượt giao chưa xong',
  R10: 'Mỗi lần kích hoạt, món quà và lần đổi lượng khớp với khoản trả của nó',
  R11: 'Mỗi khóa chống làm hai lần chỉ đến kết quả của nó',
  R12: 'Mỗi thông báo thanh toán còn nguyên như lúc đến',
}
