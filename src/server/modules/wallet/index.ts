export { HOUSE, openWallet, postTransfer, type LedgerKind, type Posting } from './wallet.service.ts'
export { reconcile, type ReconcileRow } from './reconcile.service.ts'
