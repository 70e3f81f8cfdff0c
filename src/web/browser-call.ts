import { createCall } from '#client/call.ts'
import { readToken } from '#web/session/token.ts'
import type { Transport } from '#contract/rendered-page.ts'

/** Calls from the browser carry the session and echo the XSRF cookie; they wait as long as the server takes (spec §7). */
const browserTransport: Transport = async ({ method, url, headers, body }) => {
  const response = await fetch(url, { method, headers: sessionHeaders(headers), body })
  return { status: response.status, text: await response.text() }
}

export const browserCall = createCall(browserTransport)

/** What a call from the browser sends of its player: the session, and the XSRF cookie in return. */
export function sessionHeaders(given: Record<string, string>): Headers {
  const headers = new Headers(given)
  const token = readToken()
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const xsrf = readCookie('XSRF-TOKEN')
  if (xsrf !== null) headers.set('x-xsrf-token', xsrf)
  return headers
}

export function readCookie(name: string, cookies = document.cookie): string | null {
  const found = cookies.split('; ').find((part) => part.startsWith(`${name}=`))
  try {
    return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1))
  } catch {
    // An invalid cookie counts as none.
    return null
  }
}
