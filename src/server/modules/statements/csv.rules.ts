import { formatNumber } from '#contract/money.ts'
import { STATUS_NAMES, TRANSACTION_NAMES } from '#contract/transaction-names.ts'
import type { Transaction } from '#contract/transactions.ts'
import { vietnamClock } from '#server/platform/vietnam-time.rules.ts'

/** Without this mark spreadsheets read Vietnamese as gibberish. */
export const BYTE_ORDER_MARK = '\ufeff'

/** What a spreadsheet would run as a formula when a cell begins with it, the wide forms of East Asia included. */
const FORMULA_START = /^\s*[=+\-@\t\r＝＋－＠]/

/** One line of RFC 4180. Numbers stay numbers; text that a spreadsheet would run is marked as text. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA_START.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

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
