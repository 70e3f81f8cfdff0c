import type { Endpoint } from '#contract/endpoint.ts'
import type { listClaims } from '#contract/recharge-claims.ts'
import { createCall, type CallInput } from '#client/call.ts'
import { sessionHeaders } from '#web/browser-call.ts'
import { ownQuery } from '#web/query-client.ts'

const CLAIMS_PER_PAGE = 10

export const claimsQuery = (page: number) =>
  ownQuery<typeof listClaims>('/recharge/claims', { query: { page, items_per_page: CLAIMS_PER_PAGE } })

/** Sends a form with its file and reports the progress of the upload, which `fetch` cannot. */
export function sendForm<E extends Endpoint>(
  endpoint: E,
  { body, file, idempotencyKey }: CallInput<E>,
  onProgress: (percent: number) => void,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value))
  if (file && endpoint.form) form.set(endpoint.form.file, file, endpoint.form.file)
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
  return call(endpoint, { idempotencyKey })
}
