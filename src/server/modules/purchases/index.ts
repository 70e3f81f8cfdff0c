export { startDeliveryWorker } from './worker.service.ts'
export { registerOperatorDeliveries } from './deliveries.operator.ts'
export { listDeliveries } from './deliveries.service.ts'
export { differencesWithGame, type RecordDifference } from './game-record.service.ts'
export {
  openDeliveries,
  askAboutOpenDeliveries,
  sumOpenDeliveries,
  personalDeliveries,
} from './operator.service.ts'
export { registerPurchases } from './purchases.routes.ts'
