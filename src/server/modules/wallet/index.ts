export type { LedgerKind, Posted, Posting } from './posting.ts'
export { HOUSE, openWallet, postTransfer } from './wallet.service.ts'
export { reconcile, type ReconcileRow } from './reconcile.service.ts'
