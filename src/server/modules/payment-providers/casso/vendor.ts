import { createHash } from 'node:crypto'
import { parseCasso, type CassoRow } from './notification.rules.ts'
import { verifyCassoSignature } from './signature.ts'
import { isSecret } from '../hmac.ts'
import { oneHeader, type NoticeReader, type Told } from '../notification.rules.ts'
import { readNoticeJson } from '../notification-json.rules.ts'

/** What opens Casso's door: keys of its signatures and plain tokens, each the one in use and, during a change, the one before. */
export type CassoKeys = { webhookKeys: string[]; tokens: string[] }

const TOLERANCE_SECONDS = 300

/** One mode at a time: whoever signs is judged by the signature, and a token beside it does not help. */
export function openCassoNotices({ webhookKeys, tokens }: CassoKeys): NoticeReader {
  return {
    provider: 'casso',
    success: 200,
    verify(notice, now) {
      if (notice.headers['x-casso-signature'] === undefined)
        return isSecret(oneHeader(notice, 'secure-token') ?? '', tokens) ? 'valid' : 'bad'
      const body = readNoticeJson(notice.raw)
      if (body === undefined) return 'unreadable'
      return verifyCassoSignature({
        keys: webhookKeys,
        header: oneHeader(notice, 'x-casso-signature'),
        body,
        now,
        toleranceSeconds: TOLERANCE_SECONDS,
      })
    },
    read(raw) {
      const parsed = parseCasso(raw)
      if (!parsed.ok) return parsed
      return { ok: true, told: parsed.rows.map((row) => toldBy(row, parsed.isList)) }
    },
  }
}

function toldBy(row: CassoRow, isListed: boolean): Told {
  const part = isListed ? { part: Buffer.from(row.text) } : {}
  if (row.ok) return { kind: 'movement', event: row.event, ...part }
  // The colon is in no id of Casso's: when the row comes again and can be read, its own id is free.
  const providerEventId = `unreadable:${createHash('sha256').update(row.text).digest('hex')}`
  return { kind: 'unreadable', event: { ...row.event, providerEventId }, reason: 'unreadable-row', ...part }
}
