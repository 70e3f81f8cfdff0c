import { createCall } from '#client/call.ts'
import { saveFile } from '#client/save-file.ts'
import { sessionHeaders } from '#web/browser-call.ts'

/**
 * Calls as the browser's other calls do, and saves the file that is answered under the name the server gives it. A plain
 * link would not send the session.
 */
export const savingCall = (fallbackName: string) =>
  createCall(async ({ method, url, headers, body }) => {
    const response = await fetch(url, { method, headers: sessionHeaders(headers), body })
    if (!response.ok) return { status: response.status, text: await response.text() }
    const [, name = fallbackName] =
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    saveFile(await response.blob(), name)
    return { status: response.status, text: '' }
  })
