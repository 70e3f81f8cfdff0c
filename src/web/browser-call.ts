import { createCall } from '#web/call.ts'
import { readToken } from '#web/session/token.ts'
import type { Transport } from '#contract/rendered-page.ts'

/** Calls from the browser carry the session and echo the XSRF cookie; they wait as long as the server takes (spec §7). */
export const browserTransport: Transport = async (request) => {
  const headers = new Headers(request.headers)
  const token = readToken()
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const xsrf = readCookie('XSRF-TOKEN')
  if (xsrf !== null) headers.set('x-xsrf-token', xsrf)

  const response = await fetch(request.url, { method: request.method, headers, body: request.body })
  return { status: response.status, text: await response.text() }
}

export const browserCall = createCall(browserTransport)

function readCookie(name: string): string | null {
  for (const part of document.cookie.split('; ')) {
    if (part.startsWith(`${name}=`)) return decodeURIComponent(part.slice(name.length + 1))
  }
  return null
}
