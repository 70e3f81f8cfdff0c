import type { NoticeReader } from '../notification.rules.ts'
import { readNoticeJson } from '../notification-json.rules.ts'
import { readPayos } from './notification.rules.ts'
import { isPayosSigned } from './signature.ts'

/** What opens payOS' door: the checksum key in use and, during a change, the one before. */
export type PayosKeys = { checksumKeys: string[] }

/** There is no time in what payOS signs, so nothing of payOS' is ever stale (docs/decisions/0019). */
export function openPayosNotices({ checksumKeys }: PayosKeys): NoticeReader {
  return {
    provider: 'payos',
    success: 200,
    verify({ raw }) {
      const body = readNoticeJson(raw)
      if (body === undefined) return 'unreadable'
      return isPayosSigned(body, checksumKeys) ? 'valid' : 'bad'
    },
    read: readPayos,
  }
}
