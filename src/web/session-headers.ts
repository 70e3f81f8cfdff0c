import { readToken } from '#web/session/token.ts'

/** What a call from the browser carries of its player: the session, and the XSRF cookie in return. */
export function sessionHeaders(given: Record<string, string>): Headers {
  const headers = new Headers(given)
  const token = readToken()
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const xsrf = readCookie('XSRF-TOKEN')
  if (xsrf !== null) headers.set('x-xsrf-token', xsrf)
  return headers
}

function readCookie(name: string): string | null {
  for (const part of document.cookie.split('; ')) {
    if (part.startsWith(`${name}=`)) return decodeURIComponent(part.slice(name.length + 1))
  }
  return null
}
