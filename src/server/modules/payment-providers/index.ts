export {
  MAX_TRANSFER_VND,
  type BankEvent,
  type BankList,
  type PulledList,
  type PulledRow,
  type CheckoutClient,
  type CheckoutOutcome,
  type RefundClient,
  type RefundOutcome,
  type SandboxSender,
  type NotificationReader,
  type PaymentEventFact,
  type ReceivedNotification,
} from './payment-vendor.rules.ts'
export { isTrialEvent } from './notification.rules.ts'
export { PROVIDER_CALL_MS_MAX, ProviderFailure } from './provider-call.ts'
export { openPayments, PAYMENT_VENDORS, type ConfiguredVendor, type Payments } from './registry.ts'
