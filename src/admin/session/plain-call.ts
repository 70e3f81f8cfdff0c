import type { Transport } from '#contract/rendered-page.ts'
import { createCall } from '#client/call.ts'
import { readToken } from '#admin/session/token.ts'

const CALL_TIMEOUT_MS = 60_000

/** A request of the console with its token. */
export function request(
  url: string,
  init: RequestInit & { headers?: Record<string, string> },
): Promise<Response> {
  const token = readToken()
  return fetch(url, {
    cache: 'no-store',
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    ...init,
    headers: { ...init.headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  })
}

const transport: Transport = async ({ method, url, headers, body }) => {
  const response = await request(url, { method, headers, body })
  return { status: response.status, text: await response.text() }
}

/** A call as it is, without asking for anything in between. Screens use `consoleCall`. */
export const plainCall = createCall(transport)
