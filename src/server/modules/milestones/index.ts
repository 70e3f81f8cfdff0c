export { registerMilestones } from './milestones.routes.ts'
export { registerOperatorMilestones } from './milestones.operator.ts'
export { milestoneProposals } from './programs.service.ts'
export { personalMilestones, reachedStepsPart } from './milestones.service.ts'
