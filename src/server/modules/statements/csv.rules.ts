import { formatNumber } from '#contract/money.ts'
import { STATUS_NAMES, TRANSACTION_NAMES } from '#contract/transaction-names.ts'
import type { Transaction } from '#contract/transactions.ts'
import { csvLine } from '#server/platform/csv.rules.ts'
import { vietnamClock } from '#server/platform/vietnam-time.rules.ts'

export const csvHeadings: string = csvLine([
  'Thời gian',
  'Loại giao dịch',
  'Số tiền (TCoin)',
  'Số dư sau (TCoin)',
  'Nội dung',
  'Người chơi liên quan',
  'Trạng thái',
  'Mã giao dịch',
])

export function transactionLine(transaction: Transaction): string {
  return csvLine([
    // Which every spreadsheet reads as a moment.
    vietnamClock(new Date(transaction.created_at)),
    TRANSACTION_NAMES[transaction.type],
    transaction.amount,
    transaction.balance_after,
    transaction.description,
    transaction.counterparty ?? '',
    STATUS_NAMES[transaction.status],
    transaction.reference,
  ])
}

/** A note in the file itself, so that a truncated file is not taken for complete. */
export function cutLine(rowsMax: number): string {
  const sentence = `Tệp chỉ gồm ${formatNumber(rowsMax)} giao dịch, vui lòng lọc theo ngày để tải phần còn lại`
  return csvLine(['', '', '', '', sentence, '', '', ''])
}
