import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { anAddress, type Portal } from '#tests/support/players.ts'
import type { Random } from './numbers.ts'

export type Request = {
  /** POST with a body, GET without one, when left out. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  token?: string
  key?: string
  /** The client's address, for a portal that trusts this machine as its proxy; a new one when left out. */
  from?: string
  body?: unknown
  headers?: Record<string, string>
}

export type Answer = {
  status: number
  text: string
  /** The parsed JSON; the text of anything else. */
  body: any
  headers: Record<string, string | string[] | undefined>
  retryAfterMs: number
  ms: number
}

/** Sends a request once; rejects without a whole answer. */
export type Send = (request: Request) => Promise<Answer>

const PATIENCE_MS = 120_000
const TIMEOUT_MS = 15_000
/** Of a single request, which nothing repeats. */
const SINGLE_TIMEOUT_MS = 120_000

export const methodOf = ({ body, method = body === undefined ? 'GET' : 'POST' }: Request) => method

/** Without the address, which a proxy adds. */
export const headersOf = ({ token, key, body, headers }: Request): Record<string, string> => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(key === undefined ? {} : { 'idempotency-key': key }),
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...headers,
})

export const contentOf = ({ body }: Request): string | Buffer<ArrayBuffer> | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    ? (body as string | Buffer<ArrayBuffer> | undefined)
    : JSON.stringify(body)

export function answerOf(read: Pick<Answer, 'status' | 'text' | 'headers'>, began: number): Answer {
  const { text, headers } = read
  const isJson = text !== '' && String(headers['content-type']).startsWith('application/json')
  return {
    ...read,
    body: isJson ? JSON.parse(text) : text === '' ? null : text,
    retryAfterMs: Number(headers['retry-after'] ?? 0) * 1_000,
    ms: performance.now() - began,
  }
}

/** One request to the portal at `url`; rejects without a whole answer. */
export async function fetchAnswer(
  url: string,
  request: Request,
  timeoutMs = SINGLE_TIMEOUT_MS,
): Promise<Answer> {
  const { path, from = anAddress() } = request
  const began = performance.now()
  const content = contentOf(request)
  const response = await fetch(url + path, {
    method: methodOf(request),
    headers: { 'x-forwarded-for': from, ...headersOf(request) },
    ...(content === undefined ? {} : { body: content }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  return answerOf({ status: response.status, text, headers: Object.fromEntries(response.headers) }, began)
}

/** The same; any answer but 200 or 201 fails. */
export async function fetchOk(url: string, request: Request): Promise<Answer> {
  const answer = await fetchAnswer(url, request)
  if (answer.status !== 200 && answer.status !== 201)
    throw new Error(`${request.path} was answered ${answer.status}: ${answer.text}`)
  return answer
}

/** What the clients of a run got, counted outside the portal. */
export type Traffic = {
  /** Operations that ended with an answer that says what became of them. */
  definite: number
  /** No whole answer came. */
  unanswered: number
  /** 503 with Retry-After, as it should be when something behind the portal fails. */
  unavailable: number
  /** Any other answer of 500 and above: there is no fault that excuses one. */
  broken: string[]
}

export const noTraffic = (): Traffic => ({ definite: 0, unanswered: 0, unavailable: 0, broken: [] })

export type ClientOptions = { patienceMs?: number; traffic?: Traffic }

/** A player's client: it repeats a request with the same key until the answer is definite. */
export class Client {
  #send: Send
  #patienceMs: number
  readonly #traffic: Traffic | null
  /** Requests that had no definite answer and were sent again. */
  repeats = 0

  /** `to`: one address, several that are used in turn as by a load balancer without health checks, or another way to send. */
  constructor(
    to: string | readonly string[] | Send,
    { patienceMs = PATIENCE_MS, traffic }: ClientOptions = {},
  ) {
    this.#send = typeof to === 'function' ? to : inTurn(to)
    this.#patienceMs = patienceMs
    this.#traffic = traffic ?? null
  }

  moveTo(to: string | readonly string[]): void {
    this.#send = inTurn(to)
  }

  /** What has no definite answer yet is not repeated any more, and fails. */
  giveUp(): void {
    this.#patienceMs = 0
  }

  /** One attempt; null without an answer. */
  async try(request: Request): Promise<Answer | null> {
    const answer = await this.#send(request).catch(() => null)
    const traffic = this.#traffic
    if (traffic === null) return answer
    if (answer === null) traffic.unanswered++
    else if (answer.status === 503 && answer.retryAfterMs > 0) traffic.unavailable++
    else if (answer.status >= 500)
      traffic.broken.push(`${request.path}: ${answer.status} ${answer.body?.code}`)
    return answer
  }

  /** Neither 5xx nor "too fast" nor "still running". Under faults a bank repeats its notification until it is accepted. */
  protected isDefinite({ status, body }: Answer, { path }: Request): boolean {
    if (this.#traffic !== null && path.startsWith('/api/webhooks/')) return status === 200
    return status < 500 && status !== 429 && body?.code !== 'IN_PROGRESS'
  }

  /** Success or a refusal. "Too fast" is waited out unless that takes longer than the client's patience. */
  async untilDefinite(request: Request): Promise<Answer> {
    const began = Date.now()
    const deadline = () => began + this.#patienceMs
    for (let pauseMs = 20; Date.now() < deadline(); pauseMs = Math.min(pauseMs * 2, 500)) {
      const answer = await this.try(request)
      const isTooFast = answer?.status === 429
      const isTooLong = isTooFast && Date.now() + answer.retryAfterMs > deadline()
      if (answer !== null && (isTooLong || this.isDefinite(answer, request))) {
        if (this.#traffic !== null) this.#traffic.definite++
        return answer
      }
      this.repeats++
      await sleep(isTooFast ? answer.retryAfterMs : pauseMs)
    }
    throw new Error(`${request.path} had no definite answer for ${this.#patienceMs} ms`)
  }
}

function inTurn(to: string | readonly string[]): Send {
  const urls = typeof to === 'string' ? [to] : to
  let turn = 0
  return (request) => fetchAnswer(urls[turn++ % urls.length] as string, request, TIMEOUT_MS)
}

/** The portal that the helpers of the tests use, behind its port. */
export const portalThrough = (client: Client, db: Db): Portal => ({
  db,
  async call(method, path, { headers, ...request } = {}) {
    const outgoing = { ...request, method: method as 'GET', path, ...(headers ? { headers } : {}) }
    const { status, body } = await client.untilDefinite(outgoing as Request)
    return { status, body, headers: {} }
  },
})

type Answered = { request: Request; answer: Answer }

/** Of so many answered requests of the run one is repeated. */
const REMEMBERED_MAX = 200
const REPEATED_OF_10 = 4
const TWINS_OF_10 = 2
const OTHER_BODIES_OF_10 = 1

const isDone = ({ status }: Answer) => status >= 200 && status < 300

/** What two answers to one key have to be equal in. */
const textOf = ({ status, body }: Answer) =>
  JSON.stringify({ status, body: { ...body, requestId: undefined } })

/**
 * A player's client that does not believe an answer: it sends what was done again with its key, now and much later, at the
 * same moment twice, and with another body. The first two have to get the first answer, the last one KEY_REUSED. An answer
 * of 500 is wrong whatever happened meanwhile.
 */
export class RepeatingClient extends Client {
  readonly #random: Random
  readonly #remembered: Answered[] = []
  readonly #repeating = new WeakSet<Request>()
  /** Repeats of what was done, and what was wrong with their answers. */
  answersCompared = 0
  readonly wrongAnswers: string[] = []

  constructor(to: string | readonly string[], random: Random, options?: ClientOptions) {
    super(to, options)
    this.#random = random
  }

  protected override isDefinite(answer: Answer, request: Request): boolean {
    const isFault = answer.status === 500
    if (isFault) this.#wrong(request, `answered 500 ${answer.body?.code ?? ''}`)
    // Nothing more is learnt by sending a repeat that fails again and again.
    if (isFault && this.#repeating.has(request)) return true
    return super.isDefinite(answer, request)
  }

  override async untilDefinite(request: Request): Promise<Answer> {
    if (request.key === undefined) return super.untilDefinite(request)
    const answer = this.#oneIn10(TWINS_OF_10)
      ? await this.#twice(request)
      : await super.untilDefinite(request)
    if (!isDone(answer)) return answer
    this.#remember({ request, answer })
    if (this.#oneIn10(REPEATED_OF_10)) await this.#repeat(this.#random.pick(this.#remembered))
    if (this.#oneIn10(REPEATED_OF_10)) await this.#repeat({ request, answer })
    if (this.#oneIn10(OTHER_BODIES_OF_10)) await this.#tryOtherBody(request)
    return answer
  }

  #oneIn10(times: number): boolean {
    return this.#random.below(10) < times
  }

  #remember(answered: Answered): void {
    this.#remembered.push(answered)
    if (this.#remembered.length > REMEMBERED_MAX) this.#remembered.shift()
  }

  /** A refusal is not stored, so the other one may succeed a moment later. */
  async #twice(request: Request): Promise<Answer> {
    // Which of them comes first is not known, so neither is sent again after a 500.
    const twins = [{ ...request }, { ...request }]
    for (const twin of twins) this.#repeating.add(twin)
    const [one, other] = (await Promise.all(twins.map((twin) => super.untilDefinite(twin)))) as [
      Answer,
      Answer,
    ]
    if (isDone(one) && isDone(other)) this.#compare(request, one, other)
    return isDone(one) ? one : other
  }

  async #repeat({ request, answer }: Answered): Promise<void> {
    const again = { ...request }
    this.#repeating.add(again)
    const second = await super.untilDefinite(again)
    // An hour's requests may be used up; that is no answer about the key.
    if (second.status !== 429) this.#compare(request, answer, second)
  }

  async #tryOtherBody(request: Request): Promise<void> {
    const { body } = request
    if (typeof body !== 'object' || body === null || !('amount' in body)) return
    const other = { ...request, body: { ...body, amount: Number(body.amount) + 10_000 } }
    this.#repeating.add(other)
    const { status, body: reply } = await super.untilDefinite(other)
    if (status !== 429 && reply?.code !== 'KEY_REUSED')
      this.#wrong(request, `its key with another body got ${status} ${reply?.code ?? ''}`)
  }

  #compare(request: Request, first: Answer, second: Answer): void {
    this.answersCompared++
    const [one, other] = [textOf(first), textOf(second)]
    if (one !== other) this.#wrong(request, `repeated got ${other} in place of ${one}`)
  }

  #wrong({ path }: Request, what: string): void {
    this.wrongAnswers.push(`${path} ${what}`.slice(0, 500))
  }
}
