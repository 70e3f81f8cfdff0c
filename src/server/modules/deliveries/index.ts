export { startDeliveryWorker } from './deliveries.jobs.ts'
export { registerDeliveries } from './deliveries.routes.ts'
export { holdForDelivery } from './deliveries.service.ts'
export { refundDelivery, retryDelivery } from './resolve.service.ts'
