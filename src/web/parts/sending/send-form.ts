import type { Endpoint } from '#contract/endpoint.ts'
import { createCall, type CallInput } from '#client/call.ts'
import { ofPlayer } from '#web/browser-call.ts'

/** Sends a form with its files and reports the progress of the upload, which `fetch` cannot. */
export function sendForm<E extends Endpoint>(
  endpoint: E,
  {
    params,
    body,
    file,
    files = file ? [file] : [],
    idempotencyKey,
  }: CallInput<E> & { files?: readonly Blob[] },
  onProgress: (percent: number) => void,
) {
  const form = new FormData()
  for (const [field, value] of Object.entries(body ?? {})) form.set(field, String(value))
  const name = endpoint.form?.file ?? ''
  for (const one of files) form.append(name, one, name)
  const call = createCall(
    ofPlayer(
      ({ method, url }, headers) =>
        new Promise((resolve, reject) => {
          const request = new XMLHttpRequest()
          request.open(method, url)
          for (const [header, value] of headers) request.setRequestHeader(header, value)
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
    ),
  )
  return call(endpoint, { params, idempotencyKey })
}
