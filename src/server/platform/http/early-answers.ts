import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isIP, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { memoized } from '../values/memoize.ts'
import type { Log } from '../log/log.ts'
import { insideSpan, isTracing, outsideSpans, type Span } from '../tracing/tracing.ts'
import { isAmbiguous } from './malformed-requests.ts'
import { answerRecorder, endSpan, spanOf } from './request-log.ts'
import { proxyList } from './client-connections.ts'
import { SECURITY_HEADERS } from './edge.ts'

/** A request that may be answered before the framework reads it: a plain read of an address. */
export type EarlyRequest = {
  method: 'GET' | 'HEAD'
  /** Before and after the question mark. */
  path: string
  query: string | undefined
  /** Those of `READ` only. */
  headers: IncomingHttpHeaders
  /** The client's address, as the framework would find it. */
  address: string
  /** The `traceparent` of a trusted proxy. */
  traceparent: string | null
  id: string
  /** For what has to be noted of it besides its own line. */
  log: () => Log
}

export type EarlyAnswer = {
  status: number
  /** Names and values in turn, without those that every answer has. */
  headers: readonly string[]
  body: Buffer | null
  cookie?: string | undefined
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

type EarlyOptions = {
  log: Log
  trustProxy: readonly string[]
  /** False from when requests are turned away. */
  isOpen(): boolean
  /** The route that would answer, for the log and the metrics. */
  route: string
  /** What to answer; null leaves it to the framework. */
  answer(request: EarlyRequest): EarlyAnswer | null | Promise<EarlyAnswer | null>
}

const listeners = new WeakMap<Server, (goOn: Listener) => Listener>()

/** The listener of a server: what was registered by `answerEarly` comes before the framework. */
export function earlyListener(serverOf: () => Server, framework: Listener): Listener {
  let listener: Listener | null = null
  return (request, response) => {
    listener ??= listeners.get(serverOf())?.(framework) ?? null
    if (listener === null) framework(request, response)
    else listener(request, response)
  }
}

/** No address of a page is longer. */
const PATH_LENGTH_MAX = 200
const PLAIN_PATH = /^\/[\x21\x22\x24-\x7e]*$/

/**
 * Answers plain reads, most of them with what is ready. The answer, its log line, its metrics and its span are those of the
 * route, which answers whatever is unusual.
 */
export function answerEarly(app: FastifyInstance, options: EarlyOptions): void {
  const { isOpen, answer } = options
  const clientOf = clientReader(options.trustProxy)
  const send = sender(options)

  const requestOf = (raw: IncomingMessage): EarlyRequest | null => {
    const { method, url = '' } = raw
    if ((method !== 'GET' && method !== 'HEAD') || !isOpen()) return null
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    if (path.length > PATH_LENGTH_MAX || url.length > 2 * PATH_LENGTH_MAX || !PLAIN_PATH.test(path))
      return null
    if (isAmbiguous(raw)) return null
    const headers = readHeaders(raw)
    if (headers === null) return null
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return null
    const client = clientOf(raw.socket.remoteAddress, headers)
    if (client === null) return null
    const id = randomUUID()
    return {
      method,
      path,
      query: mark < 0 ? undefined : url.slice(mark + 1),
      headers,
      ...client,
      id,
      log: () => options.log.child({ requestId: id }),
    }
  }

  listeners.set(app.server, (framework) => (raw, response) => {
    const start_ms = performance.now()
    const request = requestOf(raw)
    if (request === null) return framework(raw, response)
    const span = isTracing() ? spanOf({ ...request, route: options.route }, request.traceparent) : null
    // The framework has a span of its own.
    const goOn = () =>
      span === null ? framework(raw, response) : outsideSpans(() => framework(raw, response))
    const finish = (ready: EarlyAnswer | null) =>
      ready === null ? goOn() : send(response, { request, ready, start_ms, span })
    const begin = () => {
      const found = answer(request)
      if (found instanceof Promise) found.then(finish, goOn)
      else finish(found)
    }
    if (span === null) begin()
    else insideSpan(span, begin)
  })
}

/** What an early answer depends on. Node would make an object of all headers, which costs as much as the rest. */
const READ = new Set([
  'accept-encoding',
  'content-length',
  'cookie',
  'if-none-match',
  'traceparent',
  'transfer-encoding',
  'user-agent',
  'x-forwarded-for',
])
const READ_LENGTH_MAX = Math.max(...[...READ].map(({ length }) => length))
const VARIANTS_MAX = 1_000

/** The name of a header that is read, in any mix of capital and small letters; null for others. */
const nameOf = memoized(VARIANTS_MAX, (variant) => {
  const name = variant.toLowerCase()
  return READ.has(name) ? name : null
})

/** Null when one of them comes twice: the framework joins them, or takes one. */
function readHeaders({ rawHeaders }: IncomingMessage): IncomingHttpHeaders | null {
  const headers: IncomingHttpHeaders = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const variant = rawHeaders[at] ?? ''
    const name = variant.length > READ_LENGTH_MAX ? null : nameOf(variant)
    if (name === null) continue
    if (headers[name] !== undefined) return null
    headers[name] = rawHeaders[at + 1]
  }
  return headers
}

const POLICY = 'content-security-policy'
const ALWAYS = Object.entries(SECURITY_HEADERS).flat()
const WITHOUT_POLICY = Object.entries(SECURITY_HEADERS)
  .filter(([name]) => name !== POLICY)
  .flat()

const whole = new WeakMap<readonly string[], string[]>()

/** The headers of an answer and those of all; cached for answers that are given again. */
function wholeHeaders(headers: readonly string[]): string[] {
  const known = whole.get(headers)
  if (known !== undefined) return known
  const made = (headers.includes(POLICY) ? WITHOUT_POLICY : ALWAYS).concat(headers)
  whole.set(headers, made)
  return made
}

/** The first segments of the addresses that routes of the framework answer; to be called before they are registered. */
export function firstSegmentsOf(app: FastifyInstance): ReadonlySet<string> {
  const segments = new Set<string>()
  app.addHook('onRoute', ({ url }) => {
    const [, first = ''] = url.split('/', 2)
    if (first !== '*') segments.add(first)
  })
  return segments
}

type Sending = { request: EarlyRequest; ready: EarlyAnswer; start_ms: number; span: Span | null }

function sender({ log, route }: EarlyOptions): (response: ServerResponse, sending: Sending) => void {
  const record = answerRecorder(log)

  return (response, { request, ready: { status, headers, body, cookie }, start_ms, span }) => {
    const { method, address, id: requestId } = request
    const sent = wholeHeaders(headers).concat('x-request-id', requestId)
    if (cookie !== undefined) sent.push('set-cookie', cookie)
    response.writeHead(status, sent)
    response.end(method === 'HEAD' ? null : body)
    endSpan(span, status)
    const elapsed_ms = performance.now() - start_ms
    record({ requestId, method, route, status, ms: Math.round(elapsed_ms), address }, elapsed_ms)
  }
}

/** As many as there are proxies, or clients of a portal without one. */
const TRUST_KNOWN_MAX = 1_000

type Client = Pick<EarlyRequest, 'address' | 'traceparent'>

/** The client, as a trusted proxy names it; null where only the framework can determine it. */
function clientReader(
  trustProxy: readonly string[],
): (near: string | undefined, headers: IncomingHttpHeaders) => Client | null {
  const trusted = proxyList(trustProxy)
  const isTrusted = memoized(TRUST_KNOWN_MAX, (address) =>
    trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  )
  return (near, headers) => {
    if (near === undefined) return null
    const named = headers['x-forwarded-for']
    if (trustProxy.length === 0 || named === undefined || !isTrusted(near))
      return { address: near, traceparent: null }
    if (typeof named !== 'string' || isIP(named) === 0) return null
    const { traceparent } = headers
    return { address: named, traceparent: typeof traceparent === 'string' ? traceparent : null }
  }
}
