import { createCall } from '#client/call.ts'
import { sessionHeaders } from '#web/session-headers.ts'
import type { Transport } from '#contract/rendered-page.ts'

/** Calls from the browser carry the session and echo the XSRF cookie; they wait as long as the server takes (spec §7). */
export const browserTransport: Transport = async ({ method, url, headers, body }) => {
  const response = await fetch(url, { method, headers: sessionHeaders(headers), body })
  return { status: response.status, text: await response.text() }
}

export const browserCall = createCall(browserTransport)
