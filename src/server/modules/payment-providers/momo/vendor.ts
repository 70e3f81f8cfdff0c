import type { NoticeReader } from '../notification.rules.ts'
import { readNoticeJson } from '../notification-json.rules.ts'
import { readMomo } from './notification.rules.ts'
import { isMomoSigned, type MomoKeys } from './signature.ts'

/** MoMo tells of a payment once, maybe late: its own time is signed and yet makes nothing stale (docs/decisions/0019). */
export function openMomoNotices(keys: MomoKeys): NoticeReader {
  return {
    provider: 'momo',
    success: 204,
    verify({ raw }) {
      const body = readNoticeJson(raw)
      if (body === undefined) return 'unreadable'
      return isMomoSigned(body, keys) ? 'valid' : 'bad'
    },
    read: readMomo,
  }
}
