export { registerPlannedPrices } from './planned-prices.operator.ts'
export { plannedPriceProposals } from './planned-prices.service.ts'
export { startPlannedPriceJobs } from './planned-prices.jobs.ts'
