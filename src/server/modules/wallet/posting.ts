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

/** Which operator caused a movement, if one did, and the request it came with. */
export type LedgerActor = { actorOperatorId?: string; requestId?: string | undefined }

export type Posting = LedgerActor & {
  kind: LedgerKind
  /** Ledger account ids: the amount moves from `debit` to `credit`. */
  debit: string
  credit: string
  /** TCoin, positive. */
  amount: number
  /** What causes it, unique together with the kind: one credit per payment, one hold, one settle per order. */
  source: { type: string; id: string }
  /** The transfer it reverses, which no other may reverse again. */
  reversesId?: string
  actorUserId?: string
}

export type Posted = { transferId: string; debitBalance: number; creditBalance: number }
