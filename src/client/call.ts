import type { AnswerOf, BodyInputOf, Endpoint, ParamsOf, QueryInputOf } from '#contract/endpoint.ts'
import type { RefusalBody } from '#contract/errors.ts'
import { dated } from './answer-age.ts'
import type { Transport, TransportReply } from '#contract/rendered-page.ts'

export type CallInput<E> = {
  params?: ParamsOf<E>
  query?: QueryInputOf<E>
  body?: BodyInputOf<E>
  /** For a call that takes a form (multipart). */
  file?: Blob
  idempotencyKey?: string
}

/** What a call needs of its endpoint. Given with the type alone, the schemas are not loaded: `call<typeof verify>({ … })`. */
type Address<E extends Endpoint> = Pick<E, 'method' | 'path'>

export type Call = <E extends Endpoint>(
  endpoint: E | Address<E>,
  input?: CallInput<E>,
) => Promise<AnswerOf<E>>

/** A call that did not succeed. Status 0: there was no answer. */
export class CallError extends Error {
  status: number
  body: RefusalBody | null

  constructor(status: number, body: RefusalBody | null) {
    super(body?.message ?? `Call failed with status ${status}`)
    this.name = 'CallError'
    this.status = status
    this.body = body
  }
}

export function createCall(transport: Transport): Call {
  return async <E extends Endpoint>(endpoint: E | Address<E>, input: CallInput<E> = {}) => {
    const headers: Record<string, string> = { accept: 'application/json' }
    if (input.idempotencyKey) headers['idempotency-key'] = input.idempotencyKey
    if (input.body !== undefined) headers['content-type'] = 'application/json'

    const reply = await transport({
      method: endpoint.method,
      url: addressOf(endpoint.path, input.params, input.query),
      headers,
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
    }).catch((): TransportReply => ({ status: 0, text: '' }))

    const answer = reply.answer ?? parseJson(reply.text)
    if (reply.status >= 200 && reply.status < 300) return dated(answer as AnswerOf<E>, reply.moment)
    throw new CallError(reply.status, isRefusal(answer) ? answer : null)
  }
}

/** `/posts/{id}` with its parameters filled in and its query; absent values are left out. */
export function addressOf(path: string, params: unknown = {}, query: unknown = {}): string {
  const parameters = new Map(Object.entries(params as object))
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(parameters.get(name))),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query as object)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const given = search.toString()
  return `/api${filled}${given && `?${given}`}`
}

/** No answer, or a failing server: worth another try. A refusal is final. */
export const isTransient = (error: unknown) =>
  !(error instanceof CallError) || error.status === 0 || error.status >= 500

/** An id of the wrong shape counts as missing, like one whose row was deleted. */
export const isMissing = (error: unknown) =>
  error instanceof CallError && [400, 404, 422].includes(error.status)

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    // A proxy's error page: the caller gets the status and no body.
    return undefined
  }
}

const REFUSAL_FIELDS = ['code', 'report', 'notify', 'errors']

/** A message with a flag is a refusal even without a code; a message alone may be a proxy's. */
function isRefusal(answer: unknown): answer is RefusalBody {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'message' in answer &&
    REFUSAL_FIELDS.some((field) => field in answer)
  )
}
