import { createClaim, listClaims, type ClaimStatus } from '#contract/recharge-claims.ts'
import { createCall } from '#web/call.ts'
import { apiQuery } from '#web/query-client.ts'
import { sessionHeaders } from '#web/session-headers.ts'

const CLAIMS_PER_PAGE = 10

export const claimsQuery = (page: number) =>
  apiQuery(listClaims, { query: { page, items_per_page: CLAIMS_PER_PAGE } })

export type ClaimFields = { amount: number; paidAt: string; reference: string; note: string }

export type ClaimDraft = ClaimFields & { picture: Blob | null }

type Sending = { draft: ClaimDraft; idempotencyKey: string; onProgress: (percent: number) => void }

/** Sends a claim with its picture, telling how much of it has gone: `fetch` cannot say that. */
export function sendClaim({ draft, idempotencyKey, onProgress }: Sending): Promise<{
  id: string
  status: ClaimStatus
}> {
  const form = new FormData()
  form.set('amount', String(draft.amount))
  form.set('paid_at', inVietnam(draft.paidAt))
  form.set('bank_reference', draft.reference)
  form.set('note', draft.note)
  if (draft.picture) form.set('picture', draft.picture, 'picture')
  const call = createCall(
    ({ method, url, headers }) =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest()
        request.open(method, url)
        for (const [name, value] of sessionHeaders(headers)) request.setRequestHeader(name, value)
        request.upload.addEventListener('progress', ({ loaded, total }) =>
          onProgress(Math.floor((loaded / total) * 100)),
        )
        request.addEventListener('load', () =>
          resolve({ status: request.status, text: request.responseText }),
        )
        for (const end of ['error', 'abort'])
          request.addEventListener(end, () => reject(new TypeError('no answer')))
        request.send(form)
      }),
  )
  return call(createClaim, { idempotencyKey })
}

/** What a date field holds, which knows no zone, as the moment it is in Vietnam. */
const inVietnam = (text: string) => `${text}:00+07:00`

const VIETNAM_OFFSET_MS = 7 * 3_600_000

/** A moment as a date field wants it, on Vietnam's clocks wherever the player is. */
export const fieldTime = (time_ms: number) => new Date(time_ms + VIETNAM_OFFSET_MS).toISOString().slice(0, 16)
