export { registerMilestones, registerOperatorMilestones } from './milestones.routes.ts'
export { milestoneProposals } from './programs.service.ts'
export { personalMilestones, reachedStepsPart } from './milestones.service.ts'
