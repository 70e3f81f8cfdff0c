export { openChannels, type OpenChannel } from './channels.rules.ts'
export { nextOrderQueryAt, nextQueryAt, clientOf, type RechargeDeps } from './checkout.service.ts'
export { nearOrderCodes, findOrderCodes, makeOrderCode, orderCodesOf } from './order-code.rules.ts'
export { coinsFor } from './order.rules.ts'
export {
  startRechargeJobs,
  listOrders,
  receivingChannels,
  claimCheckoutNow,
  claimDueCheckout,
  findCheckout,
  hastenCheckout,
  markCheckoutOver,
  scheduleCheckout,
  type Checkout,
  closeUnpayableOrder,
  lockOrder,
  lockOrderById,
  lockOrderWithNext,
  markOrderInReview,
  markOrderPaid,
  payerOf,
  closeOrderInReview,
  reopenOrder,
  type LockedOrder,
  countWaitingOrders,
  personalOrders,
} from './recharge.service.ts'
export { findOrderId, getOperatorOrder } from './operator-orders.service.ts'
export { registerOperatorRechargeOrders } from './recharge.operator.ts'
export { assertPlaceLeft } from './placing.service.ts'
export { registerRecharge } from './recharge.routes.ts'
export { sandboxPay } from './sandbox.service.ts'
