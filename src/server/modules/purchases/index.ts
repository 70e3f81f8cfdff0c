export { startDeliveryWorker } from './deliveries.jobs.ts'
export { registerOperatorDeliveries } from './deliveries.operator.ts'
export { registerPurchases } from './purchases.routes.ts'
export { personalDeliveries } from './personal.queries.ts'
