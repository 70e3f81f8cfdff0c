export type { LedgerKind } from './posting.ts'
export { HOUSE, openWallet, postTransfer } from './wallet.service.ts'
export { coinsMissing } from './wallet.errors.ts'
export { reconcile } from './reconcile.service.ts'
