export { openChannels, type OpenChannel } from './channels.rules.ts'
export {
  claimCheckoutNow,
  claimDueCheckout,
  findCheckout,
  hastenCheckout,
  markCheckoutOver,
  scheduleCheckout,
  type Checkout,
} from './checkout.queries.ts'
export { nextOrderQueryAt, nextQueryAt } from './checkout.rules.ts'
export { clientOf } from './checkout.service.ts'
export { nearOrderCodes } from './near-codes.rules.ts'
export { findOrderCodes, makeOrderCode, orderCodesOf } from './order-code.rules.ts'
export {
  closeUnpayableOrder,
  lockOrder,
  lockOrderById,
  lockOrderWithNext,
  markOrderInReview,
  markOrderPaid,
  payerOf,
  releaseOrderInReview,
  reopenOrder,
  type LockedOrder,
} from './order-payment.queries.ts'
export { coinsFor } from './recharge-quote.rules.ts'
export { startRechargeJobs } from './recharge.jobs.ts'
export { countWaitingOrders } from './recharge.queries.ts'
export { findOrderId, getOperatorOrder } from './operator-orders.service.ts'
export { registerOperatorRechargeOrders } from './recharge.operator.ts'
export { assertPlaceLeft } from './placing.service.ts'
export type { RechargeDeps } from './recharge-deps.ts'
export { registerRecharge } from './recharge.routes.ts'
export { listOrders, receivingChannels } from './recharge.service.ts'
export { sandboxPay } from './sandbox.service.ts'
export { personalOrders } from './personal.queries.ts'
