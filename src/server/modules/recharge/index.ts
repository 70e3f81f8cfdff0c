export { channelsNow, openChannels, type OpenChannel } from './channels.rules.ts'
export {
  applyOutcome,
  claimCheckoutNow,
  clientOf,
  findQueryable,
  hastenCheckout,
  queryDue,
  scheduleNextQuery,
  type Checkout,
  type RechargeDeps,
} from './checkout.service.ts'
export {
  closeOrderInReview,
  giveBonus,
  lockOrder,
  lockOrderById,
  lockOrderWithNext,
  markOrderInReview,
  markOrderPaid,
  reopenOrder,
  type LockedOrder,
} from './order-status.service.ts'
/** Steps of a programme are reached by recharges, whose credit tells of them. */
export { reachedStepsPart } from '#server/modules/milestones/index.ts'
export {
  nearOrderCodes,
  findOrderCodes,
  makeOrderCode,
  orderCodesOf,
  plainLetters,
} from './order-code.rules.ts'
export { coinsFor } from './order.rules.ts'
export {
  findOrderStatus,
  knownOrders,
  startRechargeJobs,
  listOrders,
  receivingChannels,
  countWaitingOrders,
  personalOrders,
} from './recharge.service.ts'
export { findOrderId, getOperatorOrder } from './operator-orders.service.ts'
export { registerOperatorRechargeOrders } from './recharge.operator.ts'
export { assertPlaceLeft } from './placing.service.ts'
export { registerRecharge } from './recharge.routes.ts'
export { sandboxPay } from './sandbox.service.ts'
export { QUERY_DELAY_SECONDS_MAX, queryDelaySeconds } from './query-delays.rules.ts'
