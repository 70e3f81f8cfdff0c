import { PURCHASE_KINDS, PURCHASES, type PurchaseKind } from './purchases.ts'

// A file without schemas, so that the page of the statement does not load the schema library.

/** What a line of a statement is called; in the order in which its filter offers them. */
export const TRANSACTION_NAMES = {
  recharge: 'Nạp TCoin',
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
  delivered: 'Đã giao',
  refunded: 'Đã hoàn TCoin',
}

export type TransactionStatus = keyof typeof STATUS_NAMES
export const TRANSACTION_STATUSES = Object.keys(STATUS_NAMES) as [TransactionStatus, ...TransactionStatus[]]

export type TransactionType = keyof typeof TRANSACTION_NAMES
export const TRANSACTION_TYPES = Object.keys(TRANSACTION_NAMES) as [TransactionType, ...TransactionType[]]
