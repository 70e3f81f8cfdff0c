import { type Call, type CallInput, createCall } from '#client/call.ts'
import { replyOf, timedFetch } from '#client/timed-fetch.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Transport } from '#contract/rendered-page.ts'

const TOKEN_KEY = 'console-session'

let memory: string | null = null

/** The console's token lives in the tab: it is gone when the tab is closed, and other tabs sign in for themselves. */
export function readToken(): string | null {
  try {
    return sessionStorage.getItem(TOKEN_KEY) ?? memory
  } catch {
    // Storage is forbidden: the token lasts until the page is left.
    return memory
  }
}

export function saveToken(token: string | null): void {
  memory = token
  try {
    if (token === null) sessionStorage.removeItem(TOKEN_KEY)
    else sessionStorage.setItem(TOKEN_KEY, token)
  } catch {
    // See above.
  }
}

/** A request of the console with its token. */
export function request(
  url: string,
  init: RequestInit & { headers?: Record<string, string> },
): Promise<Response> {
  const token = readToken()
  return timedFetch(url, {
    cache: 'no-store',
    ...init,
    headers: { ...init.headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  })
}

const CALL_TIMEOUT_MS = 60_000

/** Sends what has to be answered in time, to its last byte. */
export async function inTime<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const connection = new AbortController()
  const timer = setTimeout(
    () => connection.abort(new DOMException('No answer in time', 'TimeoutError')),
    CALL_TIMEOUT_MS,
  )
  try {
    return await send(connection.signal)
  } finally {
    clearTimeout(timer)
  }
}

type Sent = Omit<Parameters<Transport>[0], 'body'> & { body?: string | FormData | undefined }

const transport = ({ method, url, headers, body }: Sent) =>
  inTime(async (signal) => replyOf(await request(url, { method, headers, body, signal })))

const callWithJson = createCall(transport)

/** A call that takes a form: its fields and its file. */
function callWithForm<E extends Endpoint>(endpoint: E, { body, file, ...rest }: CallInput<E>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value))
  if (file && endpoint.form) form.set(endpoint.form.file, file, endpoint.form.file)
  return createCall((sent) => transport({ ...sent, body: form }))(endpoint, rest as CallInput<E>)
}

/** A call without a step-up dialog in between. Screens use `consoleCall`. */
export const plainCall: Call = (endpoint, input = {}) =>
  'form' in endpoint ? callWithForm(endpoint, input) : callWithJson(endpoint, input)
