import { oneHeader, type NoticeReader } from '../notification.rules.ts'
import { parseSepay } from './notification.rules.ts'
import { verifyApiKey, verifySepaySignature } from './signature.ts'

/** What opens SePay's door: secrets of signatures and plain keys, each the one in use and, during a change, the one before. */
export type SepayKeys = { secrets: string[]; apiKeys: string[] }

const TOLERANCE_SECONDS = 300

/** One mode at a time: whoever signs is judged by the signature, and a key beside it does not help. */
export function openSepayNotices(keys: SepayKeys): NoticeReader {
  return {
    provider: 'sepay',
    success: 200,
    verify(notice, now) {
      if (notice.headers['x-sepay-signature'] === undefined)
        return verifyApiKey(oneHeader(notice, 'authorization'), keys.apiKeys) ? 'valid' : 'bad'
      return verifySepaySignature({
        secrets: keys.secrets,
        timestamp: oneHeader(notice, 'x-sepay-timestamp'),
        signature: oneHeader(notice, 'x-sepay-signature'),
        raw: notice.raw,
        now,
        toleranceSeconds: TOLERANCE_SECONDS,
      })
    },
    read(raw) {
      const parsed = parseSepay(raw)
      if (parsed.ok) return { ok: true, told: [{ kind: 'movement', event: parsed.event }] }
      return { ok: false, field: parsed.reason === 'bad-field' ? parsed.field : '' }
    },
  }
}
