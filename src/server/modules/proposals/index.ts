export { assertSecondPerson, readPeople } from './counting.service.ts'
export {
  propose,
  type ProposalKinds,
  type ProposalsDeps,
  type Proposed,
  type ProposedChange,
  startProposalJobs,
  personalProposals,
} from './proposals.service.ts'
export { allOfThem, assertEndsLater, campaignActs } from './campaigns.service.ts'
export { type CoinMovement, coinProposals, proposedCoins, signedCoins } from './coin-proposals.service.ts'
export {
  type CreditProposal,
  findTransferProposal,
  insertTransferProposal,
  markTransferProposal,
  type TransferLetters,
  type WaitingProposal,
} from './transfer-proposals.service.ts'
export { registerProposals } from './proposals.operator.ts'
export type { Decision, DecisionCall } from './deciding.service.ts'
