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
export { nextOrderQueryAt, nextQueryAt, clientOf } from './checkout.service.ts'
export { nearOrderCodes, findOrderCodes, makeOrderCode, orderCodesOf } from './order-code.rules.ts'
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
export { coinsFor } from './order.rules.ts'
export { startRechargeJobs, listOrders, receivingChannels } from './recharge.service.ts'
export { countWaitingOrders } from './recharge.queries.ts'
export { findOrderId, getOperatorOrder } from './operator-orders.service.ts'
export { registerOperatorRechargeOrders } from './recharge.operator.ts'
export { assertPlaceLeft } from './placing.service.ts'
export type { RechargeDeps } from './recharge-deps.ts'
export { registerRecharge } from './recharge.routes.ts'
export { sandboxPay } from './sandbox.service.ts'
export { personalOrders } from './personal.queries.ts'
