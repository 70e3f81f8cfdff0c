import { PURCHASE_KINDS, type PurchaseKind, PURCHASES } from './deliveries.ts'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { dayText, idText, moment, paged, pageQueryShape } from './fields.ts'

/** What a line of a statement is called; in the order in which its filter offers them. */
export const TRANSACTION_NAMES = {
  recharge: 'Nạp TCoin',
  bonus: 'Thưởng nạp',
  gift_code: 'Mã quà',
  invitation: 'Thưởng mời bạn',
  transfer_in: 'Nhận chuyển khoản',
  transfer_out: 'Chuyển TCoin',
  activation: 'Kích hoạt',
  ...(Object.fromEntries(PURCHASE_KINDS.map((kind) => [kind, PURCHASES[kind].name])) as Record<
    PurchaseKind,
    string
  >),
  refund: 'Hoàn tiền',
  adjustment: 'Điều chỉnh',
}

/** Where a line of a statement stands: plain movements are done at once, a purchase is where its goods are. */
export const STATUS_NAMES = {
  completed: 'Hoàn tất',
  pending: 'Đang giao',
  sent: 'Đã gửi vào game',
  delivered: 'Đã giao',
  refunded: 'Đã hoàn TCoin',
}

export type TransactionStatus = keyof typeof STATUS_NAMES
export const TRANSACTION_STATUSES = Object.keys(STATUS_NAMES) as [TransactionStatus, ...TransactionStatus[]]

export type TransactionType = keyof typeof TRANSACTION_NAMES
export const TRANSACTION_TYPES = Object.keys(TRANSACTION_NAMES) as [TransactionType, ...TransactionType[]]

export const transactionSchema = z.object({
  id: idText,
  created_at: moment,
  type: z.enum(TRANSACTION_TYPES),
  /** Signed: what the wallet gained or lost. */
  amount: z.number(),
  balance_after: z.number(),
  description: z.string(),
  counterparty: z.optional(z.string()),
  status: z.enum(TRANSACTION_STATUSES),
  reference: z.string(),
})

export const transactionQueryShape = {
  sort: z.optional(z.enum(['created_at', 'amount'])),
  order: z.optional(z.enum(['asc', 'desc'])),
  search: z.optional(z.string().check(z.maxLength(64))),
  filter_type: z.optional(z.enum(TRANSACTION_TYPES)),
  /** Days in Vietnam time, both inclusive. */
  filter_from: z.optional(dayText),
  filter_to: z.optional(dayText),
}

export const listTransactions = endpoint('GET', '/user/transactions', 'user', {
  summary: 'The statement of the player’s wallet.',
  query: z.object({ ...pageQueryShape, ...transactionQueryShape }),
  answer: paged(transactionSchema),
})

export const TRANSACTIONS_CSV_PATH = '/user/transactions.csv'
export const transactionsCsvQuery = z.object(transactionQueryShape)

export const exportTransactions = endpoint('GET', TRANSACTIONS_CSV_PATH, 'user', {
  summary: 'The whole statement as a CSV file, by the list’s filters and order.',
  query: transactionsCsvQuery,
  file: 'text/csv',
})

export type Transaction = z.output<typeof transactionSchema>
