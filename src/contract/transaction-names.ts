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

export type TransactionType = keyof typeof TRANSACTION_NAMES
export const TRANSACTION_TYPES = Object.keys(TRANSACTION_NAMES) as [TransactionType, ...TransactionType[]]
