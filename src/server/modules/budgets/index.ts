export { registerOperatorBudgets } from './budgets.operator.ts'
export { budgetProposals } from './budgets.service.ts'
