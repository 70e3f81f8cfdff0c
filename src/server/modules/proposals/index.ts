export {
  propose,
  assertSecondPerson,
  type ProposalKinds,
  type ProposedChange,
  startProposalJobs,
  findTransferProposal,
  insertTransferProposal,
  markTransferProposal,
  type CreditProposal,
  type WaitingProposal,
  personalProposals,
} from './proposals.service.ts'
export { registerProposals } from './proposals.operator.ts'
export type { Decision, DecisionCall } from './deciding.service.ts'
