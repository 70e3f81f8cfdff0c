export { startDeliveryWorker } from './worker.service.ts'
export { registerOperatorDeliveries } from './deliveries.operator.ts'
export { registerOperatorComparison } from './comparison.operator.ts'
export { allMissing, compareNow, startComparer } from './comparison.service.ts'
export { giveAgainProposals } from './giving-again.service.ts'
export { giveReward, takeReward } from './rewards.service.ts'
export { getDelivery, listDeliveries } from './deliveries.service.ts'
export { differencesWithGame, knownDeliveries, type RecordDifference } from './game-record.service.ts'
export {
  openDeliveries,
  askAboutOpenDeliveries,
  sumOpenDeliveries,
  personalDeliveries,
} from './operator.service.ts'
export { offeredExchange } from './offers.ts'
export { statusOf } from './deliveries.rules.ts'
export { exchangeWithin, fetchUnknownCharacters, type PurchaseDeps } from './purchase.service.ts'
export { registerPurchases } from './purchases.routes.ts'
