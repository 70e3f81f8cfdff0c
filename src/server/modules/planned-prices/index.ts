export { registerPlannedPrices } from './planned-prices.operator.ts'
export { plannedPriceProposals } from './planned-prices.service.ts'
export { startPlannedPriceJobs } from './due-prices.service.ts'
