export type { BankInboxDeps } from './bank-inbox-deps.ts'
export { startBankInboxJobs } from './bank-inbox.jobs.ts'
export { registerBankTransfers, registerOperatorClaims } from './operator/bank-transfers.operator.ts'
export { decideTransfer } from './operator/proposals.service.ts'
export { transferTermsOf } from './operator/transfer-terms.service.ts'
export { knownEvents, takeInEvent, takeInRows } from './intake/settlement.service.ts'
export { listUnmatchedOf } from './matching/suggestions.service.ts'
export { registerWebhooks } from './intake/webhooks.routes.ts'
export {
  memoOfTransfer,
  eventsFound,
  findOrderPayment,
  findUsualSeconds,
  openEventsOfDay,
  orderCodeOf,
  transfersOfDay,
  personalTransfers,
} from './operator/inbox.service.ts'
