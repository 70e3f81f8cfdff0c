export { registerOperatorBudgets } from './budgets.operator.ts'
export { budgetOfCampaign, budgetProposals } from './budgets.service.ts'
