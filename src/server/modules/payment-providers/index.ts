export { isTrialEvent, MAX_TRANSFER_VND, type BankEvent, type UncreditedEvent } from './bank-event.rules.ts'
export type { BankList, PulledList, PulledRow } from './bank-list.rules.ts'
export type { NotificationReader, PaymentEventFact, ReceivedNotification } from './notification.rules.ts'
export type {
  CheckoutClient,
  CheckoutOutcome,
  RefundClient,
  RefundOutcome,
  SandboxSender,
} from './payment-vendor.rules.ts'
export { ProviderFailure } from './provider-failure.ts'
export { openPayments, PAYMENT_VENDORS, type ConfiguredVendor, type Payments } from './registry.ts'
