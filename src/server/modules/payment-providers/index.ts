export {
  isTrialEvent,
  MAX_TRANSFER_VND,
  type BankEvent,
  type UncreditedEvent,
  type BankList,
  type PulledList,
  type PulledRow,
} from './bank-list.rules.ts'
export type { NotificationReader, PaymentEventFact, ReceivedNotification } from './notification.rules.ts'
export type {
  CheckoutClient,
  CheckoutOutcome,
  RefundClient,
  RefundOutcome,
  SandboxSender,
} from './payment-vendor.rules.ts'
export { ProviderFailure } from './provider-call.ts'
export { openPayments, PAYMENT_VENDORS, type ConfiguredVendor, type Payments } from './registry.ts'
