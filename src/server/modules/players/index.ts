export { adjustmentProposals } from './adjusting.service.ts'
export { registerOperatorUsers } from './players.operator.ts'
export { secondFactorProposals } from './second-factor-removal.service.ts'
export { personalNotes } from './personal.queries.ts'
