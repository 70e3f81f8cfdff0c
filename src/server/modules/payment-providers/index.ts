export {
  isTrialEvent,
  MAX_TRANSFER_VND,
  PROVIDERS,
  type BankEvent,
  type ProviderName,
  type ToldEvent,
} from './bank-event.rules.ts'
export type { NoticeReader, Told } from './notification.rules.ts'
export { openNoticeReaders, type PaymentKeys } from './notice-readers.ts'
export type { MomoKeys } from './momo/signature.ts'
export type { PaymentApis } from './payment-apis.rules.ts'
export type { SepayKeys } from './sepay/vendor.ts'
export { signSepay } from './sepay/signature.ts'
export type { BankList, PulledList, PulledRow } from './bank-list.rules.ts'
export { openPaymentClients, type PaymentClients } from './payment-clients.ts'
export type { MomoClient } from './momo/gateway.client.ts'
export type { MomoRefundOutcome } from './momo/refund.rules.ts'
export { ProviderFailure } from './provider-failure.ts'
