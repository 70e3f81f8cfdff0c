import type { ProviderName } from './bank-event.rules.ts'
import { openCassoNotices, type CassoKeys } from './casso/vendor.ts'
import { openMomoNotices } from './momo/vendor.ts'
import type { MomoKeys } from './momo/signature.ts'
import type { NoticeReader } from './notification.rules.ts'
import { openPayosNotices, type PayosKeys } from './payos/vendor.ts'
import { openSepayNotices, type SepayKeys } from './sepay/vendor.ts'

/** What opens each provider's door; null keeps it shut. */
export type PaymentKeys = {
  sepay: SepayKeys | null
  casso: CassoKeys | null
  payos: PayosKeys | null
  momo: MomoKeys | null
}

/** Null where nothing is configured: that provider's door is closed, never open to all. */
export type NoticeReaders = Record<ProviderName, NoticeReader | null>

export function openNoticeReaders({ sepay, casso, payos, momo }: PaymentKeys): NoticeReaders {
  return {
    sepay: sepay && openSepayNotices(sepay),
    casso: casso && openCassoNotices(casso),
    payos: payos && openPayosNotices(payos),
    momo: momo && openMomoNotices(momo),
  }
}
