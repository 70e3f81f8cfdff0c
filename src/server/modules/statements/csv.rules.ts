import { STATUS_NAMES, TRANSACTION_NAMES } from '#contract/transaction-names.ts'
import type { Transaction } from '#contract/transactions.ts'
import { csvMoment, type Cell } from '#server/platform/csv.rules.ts'

export const CSV_HEADINGS = [
  'Thời gian',
  'Loại giao dịch',
  'Số tiền (TCoin)',
  'Số dư sau (TCoin)',
  'Nội dung',
  'Người chơi liên quan',
  'Trạng thái',
  'Mã giao dịch',
] as const

export function transactionCells(transaction: Transaction): Cell[] {
  return [
    csvMoment(transaction.created_at),
    TRANSACTION_NAMES[transaction.type],
    transaction.amount,
    transaction.balance_after,
    transaction.description,
    transaction.counterparty ?? null,
    STATUS_NAMES[transaction.status],
    transaction.reference,
  ]
}
