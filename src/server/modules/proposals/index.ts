export { propose } from './proposals.service.ts'
export { assertSecondPerson } from './second-person.service.ts'
export type { ProposalKinds, ProposedChange } from './proposals.service.ts'
export {
  findTransferProposal,
  insertTransferProposal,
  markTransferProposal,
  type CreditProposal,
  type WaitingProposal,
} from './transfer-proposals.queries.ts'
export { registerProposals } from './proposals.operator.ts'
export { startProposalJobs } from './proposals.jobs.ts'
export type { Decision, DecisionCall } from './deciding.service.ts'
export { personalProposals } from './personal.queries.ts'
