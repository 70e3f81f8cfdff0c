import { dated, momentOf } from '#client/answer-age.ts'
import { addressOf, type Call, CallError, type CallInput, createCall } from '#client/call.ts'
import { replyOf } from '#client/timed-fetch.ts'
import type { AnswerOf, Endpoint, QueryInputOf } from '#contract/endpoint.ts'
import { parseJson } from '#contract/operator/fields.ts'
import { requestStepUp, sessionRefused } from './session/console-session.ts'
import { asOwnAct } from './session/own-acts.ts'
import { inTime, plainCall, readToken, request } from './session/plain-call.ts'

/**
 * Every call of the console's screens. Where the server requires fresh proof it is requested in place and the same call is
 * made again, under the same idempotency key. A session that is locked or over shows its own screen.
 */
export const consoleCall: Call = (endpoint, input) => asOwnAct(endpoint, callWithProof(endpoint, input))

const callWithProof: Call = async (endpoint, input) => {
  const token = readToken()
  try {
    return await plainCall(endpoint, input)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    tellRefused(error, token)
    if (error.body?.code !== 'STEP_UP_REQUIRED' || !(await requestStepUp())) throw error
    // Somebody else may have signed in while the code was asked for.
    if (token !== readToken()) throw error
    return plainCall(endpoint, input)
  }
}

/** Not the refusal of a session that another one has followed. */
function tellRefused(error: unknown, token: string | null): void {
  if (error instanceof CallError && error.status === 401 && token === readToken()) sessionRefused(error)
}

export type ListAnswer<E> = {
  rows: AnswerOf<E>
  /** How many there are, counted up to 10,000 for growing tables. */
  total: number
  /** Continues after the last row, where the table grows and more may follow. */
  next: string | null
}

/** One page of a list, with the values of its headers. */
export async function readListPage<E extends Endpoint>(
  endpoint: E,
  query: QueryInputOf<E>,
): Promise<ListAnswer<E>> {
  let headers = new Headers()
  const token = readToken()
  const call = createCall(({ method, url, headers: given }) =>
    inTime(async (signal) => {
      const response = await request(url, { method, headers: given, signal })
      headers = response.headers
      return replyOf(response)
    }),
  )
  try {
    const rows = await call(endpoint, { query } as CallInput<E>)
    const total = Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? 0)
    return dated({ rows, total, next: headers.get('x-next-after') }, momentOf(rows))
  } catch (error) {
    tellRefused(error, token)
    throw error
  }
}

/** A file may be long; what ends it is silence. */
const FILE_SILENCE_MS = 60_000

/** A file behind the console's session. Throws CallError when it is refused, anything else when it breaks off. */
export async function readFile(path: string, query: object = {}): Promise<Blob> {
  const leaving = new AbortController()
  const token = readToken()
  let timer: ReturnType<typeof setTimeout> | undefined
  const waitOn = () => {
    clearTimeout(timer)
    timer = setTimeout(() => leaving.abort(), FILE_SILENCE_MS)
  }
  waitOn()
  try {
    const response = await request(addressOf(path, {}, query), { method: 'GET', signal: leaving.signal })
    if (!response.ok || !response.body) throw await refusalOf(response, token)
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        waitOn()
        controller.enqueue(part)
      },
    })
    const type = response.headers.get('content-type') ?? ''
    const body = response.body.pipeThrough(watched)
    return await new Response(body, { headers: { 'content-type': type } }).blob()
  } finally {
    clearTimeout(timer)
  }
}

async function refusalOf(response: Response, token: string | null): Promise<CallError> {
  const body = parseJson(await response.text()) as CallError['body'] | undefined
  const refusal = new CallError(response.status, body ?? null)
  tellRefused(refusal, token)
  return refusal
}
