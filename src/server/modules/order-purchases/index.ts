export {
  cancelPurchase,
  describePurchase,
  isPurchaseWaiting,
  makePurchaseDue,
  personalOrderPurchases,
  planPurchase,
  type PlanningDeps,
  prepareToPlan,
  purchaseOf,
  reopenPurchase,
  storePurchase,
  type WantedPurchase,
} from './order-purchases.service.ts'
export { startPurchaseJobs } from './buying.service.ts'
