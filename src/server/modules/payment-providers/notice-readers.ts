import type { ProviderName } from './bank-event.rules.ts'
import type { NoticeReader } from './notice.rules.ts'
import { openSepayNotices, type SepayKeys } from './sepay.notices.ts'

/** What opens each provider's door; null keeps it shut. */
export type PaymentKeys = { sepay: SepayKeys | null }

/** Null where nothing is configured: that provider's door is closed, never open to all. */
export type NoticeReaders = Record<ProviderName, NoticeReader | null>

export function openNoticeReaders(keys: PaymentKeys): NoticeReaders {
  return { sepay: keys.sepay && openSepayNotices(keys.sepay), casso: null, payos: null, momo: null }
}
