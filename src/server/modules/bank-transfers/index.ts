export { startBankTransferJobs } from './bank-transfers.jobs.ts'
export { registerBankTransfers } from './bank-transfers.operator.ts'
