import type { AnswerOf, Endpoint, QueryInputOf } from '#contract/endpoint.ts'
import { addressOf, CallError, createCall, type Call, type CallInput } from '#client/call.ts'
import { lockConsole } from '#admin/session/console-session.ts'
import { plainCall, request } from '#admin/session/plain-call.ts'
import { askForStepUp } from '#admin/session/step-up.ts'

/**
 * Every call of the console's screens. Where the server wants fresh proof it is asked for in place and the same call is
 * made again, under the same idempotency key. A session that is locked or over shows its own screen.
 */
export const consoleCall: Call = async (endpoint, input) => {
  try {
    return await plainCall(endpoint, input)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.status === 401) lockConsole()
    if (error.body?.code !== 'STEP_UP_REQUIRED' || !(await askForStepUp())) throw error
    return plainCall(endpoint, input)
  }
}

export type ListAnswer<E> = {
  rows: AnswerOf<E>
  /** How many there are, counted up to 10,000 for growing tables. */
  total: number
  /** Continues after the last row, where the table grows and more may follow. */
  next: string | null
}

/** One page of a list, with what its headers say. */
export async function readListPage<E extends Endpoint>(
  endpoint: E,
  query: QueryInputOf<E>,
): Promise<ListAnswer<E>> {
  let headers = new Headers()
  const call = createCall(async ({ method, url, headers: given }) => {
    const response = await request(url, { method, headers: given })
    headers = response.headers
    return { status: response.status, text: await response.text() }
  })
  try {
    const rows = await call(endpoint, { query } as CallInput<E>)
    const total = Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? 0)
    return { rows, total, next: headers.get('x-next-after') }
  } catch (error) {
    if (error instanceof CallError && error.status === 401) lockConsole()
    throw error
  }
}

/** A file behind the console's session. Throws CallError when it is refused. */
export async function readFile(path: string, query: object = {}): Promise<Blob> {
  const response = await request(addressOf(path, {}, query), { method: 'GET' })
  if (response.ok) return response.blob()
  if (response.status === 401) lockConsole()
  throw new CallError(response.status, null)
}
