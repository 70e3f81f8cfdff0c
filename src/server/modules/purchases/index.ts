export { startDeliveryWorker } from './worker.service.ts'
export { registerOperatorDeliveries } from './deliveries.operator.ts'
export { registerOperatorComparison } from './comparison.operator.ts'
export { allMissing, compareNow, startComparer } from './comparison.service.ts'
export { giveAgainProposals } from './giving-again.service.ts'
export { listDeliveries } from './deliveries.service.ts'
export { differencesWithGame, type RecordDifference } from './game-record.service.ts'
export {
  openDeliveries,
  askAboutOpenDeliveries,
  sumOpenDeliveries,
  personalDeliveries,
} from './operator.service.ts'
export { registerPurchases } from './purchases.routes.ts'
