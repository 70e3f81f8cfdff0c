import type { Notice, NoticeReader } from './notice.rules.ts'
import { parseSepay } from './sepay.rules.ts'
import { verifyApiKey, verifySepaySignature } from './sepay-signature.ts'

/** What opens SePay's door: secrets of signatures and plain keys, each the one in use and, during a change, the one before. */
export type SepayKeys = { secrets: string[]; apiKeys: string[] }

const TOLERANCE_SECONDS = 300

/** One mode at a time: whoever signs is judged by the signature, and a key beside it does not help. */
export function openSepayNotices(keys: SepayKeys): NoticeReader {
  return {
    provider: 'sepay',
    success: 200,
    verify({ raw, headers }: Notice, now) {
      const timestamp = headers['x-sepay-timestamp']
      const signature = headers['x-sepay-signature']
      if (signature === undefined)
        return verifyApiKey(one(headers.authorization), keys.apiKeys) ? 'valid' : 'bad'
      return verifySepaySignature({
        secrets: keys.secrets,
        timestamp: one(timestamp),
        signature: one(signature),
        raw,
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

/** A header given twice counts as absent: which of the two was meant is anybody's guess. */
const one = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)
