import type { PurchaseTransfer } from '#contract/purchases.ts'

export type LedgerKind =
  | 'recharge'
  | 'p2p'
  | 'activation'
  | PurchaseTransfer
  | 'adjustment'
  | 'reversal'
  | 'debt'
  | 'debt_settle'

export type Posting = {
  kind: LedgerKind
  /** Ledger account ids: the amount moves from `debit` to `credit`. */
  debit: string
  credit: string
  /** TCoin, positive. */
  amount: number
  /** What causes it, unique together with the kind: one credit per payment, one hold, one settle per order. */
  source: { type: string; id: string }
  /** The transfer it takes back, which no other may take back again. */
  reversesId?: string
  actorUserId?: string
  actorOperatorId?: string
  requestId?: string
}

export type Posted = { transferId: string; debitBalance: number; creditBalance: number }
