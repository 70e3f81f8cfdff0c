export {
  propose,
  assertSecondPerson,
  type ProposalKinds,
  type ProposedChange,
  startProposalJobs,
} from './proposals.service.ts'
export {
  findTransferProposal,
  insertTransferProposal,
  markTransferProposal,
  type CreditProposal,
  type WaitingProposal,
} from './transfer-proposals.queries.ts'
export { registerProposals } from './proposals.operator.ts'
export type { Decision, DecisionCall } from './deciding.service.ts'
export { personalProposals } from './personal.queries.ts'
