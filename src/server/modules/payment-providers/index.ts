export {
  isTrialEvent,
  MAX_TRANSFER_VND,
  PROVIDERS,
  type BankEvent,
  type ProviderName,
} from './bank-event.rules.ts'
export type { NoticeReader, Told } from './notice.rules.ts'
export { openNoticeReaders, type PaymentKeys } from './notice-readers.ts'
export type { SepayKeys } from './sepay.notices.ts'
export { signSepay } from './sepay-signature.ts'
