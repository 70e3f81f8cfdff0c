export { registerBankTransfers } from './bank-transfers.operator.ts'
