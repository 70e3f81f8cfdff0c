import { lookup as systemLookup } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { isInTransaction } from '../db/transaction.ts'
import { markAway, noteSuccess } from '../log/outages.ts'
import { invariant, OutboundFailure } from '../values/errors.ts'
import { tracedCall } from '../tracing/tracing.ts'
import { publicOnly } from './public-addresses.ts'

export { OutboundFailure }

export type OutboundRequest = {
  url: string
  method: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** The whole call: connecting, sending, and reading the answer. */
  timeoutMs: number
  /** The part until the connection is established, including TLS. */
  connectTimeoutMs?: number
}

export type OutboundAnswer = {
  status: number
  text: string
  /** As the other side calls the text; absent when it does not. */
  contentType?: string
  /** How the other side says that it packed the text, which nobody asked for; absent when it does not. */
  contentEncoding?: string
  /** The waiting time that the answer demands, if any. */
  retryAfterSeconds?: number
}

const ANSWER_BYTES_MAX = 1024 * 1024
const CONNECT_TIMEOUT_MS = 5_000

/**
 * With `openPublicOutbound` the only way to call other machines. Calls only the hosts it was made for, follows no redirect, has time-outs, reads a
 * bounded answer, and refuses to start while a transaction is open: a slow partner must never hold our locks.
 */
export function openOutbound(allowedOrigins: readonly string[]) {
  return async function send(request: OutboundRequest): Promise<OutboundAnswer> {
    invariant(allowedOrigins.includes(new URL(request.url).origin), 'only listed hosts are called')
    return tracedExchange(request)
  }
}

/** Calls addresses that strangers have given. */
export type PublicOutbound = {
  /** Whether an address may be called, as far as its text shows it. */
  mayCall(url: string): boolean
  send(request: OutboundRequest): Promise<OutboundAnswer>
}

type PublicOptions = {
  /** The hosts that may be called; one that begins with a dot is every host below it. */
  hosts: readonly string[]
  /** For tests: an origin that may be called although it is of this machine. */
  testOrigin?: string
  /** Finds the addresses of a name. */
  lookup?: LookupFunction
}

/**
 * As `openOutbound`, for addresses that browsers name: https at its usual port to the known hosts, and none that leads to this
 * machine or its networks, which is checked when the connection is made.
 */
export function openPublicOutbound({
  hosts,
  testOrigin,
  lookup = systemLookup,
}: PublicOptions): PublicOutbound {
  const checked = publicOnly(lookup)
  function mayCall(url: string): boolean {
    if (!URL.canParse(url)) return false
    const { protocol, hostname, port, origin, username, password } = new URL(url)
    if (origin === testOrigin) return true
    const isKnown = hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host))
    return isKnown && protocol === 'https:' && port === '' && username === '' && password === ''
  }
  return {
    mayCall,
    async send(request) {
      invariant(mayCall(request.url), 'only https to a known host is called')
      const isOfTest = new URL(request.url).origin === testOrigin
      return tracedExchange(request, isOfTest ? undefined : checked)
    },
  }
}

async function tracedExchange(request: OutboundRequest, lookup?: LookupFunction): Promise<OutboundAnswer> {
  invariant(!isInTransaction(), 'nothing is called over the network inside a transaction')
  const { method, url } = request
  const { hostname, port, protocol } = new URL(url)
  return tracedCall(
    {
      // Without the path: it may name a player's delivery or an account.
      name: `${method} ${hostname}`,
      attributes: {
        'http.request.method': method,
        'server.address': hostname,
        'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      },
    },
    () => call({ ...request, lookup }),
    ({ status }) => ({ 'http.response.status_code': status }),
  )
}

type Looked = OutboundRequest & { lookup: LookupFunction | undefined }

async function call(request: Looked): Promise<OutboundAnswer> {
  const connection = { isMade: false }
  const { origin } = new URL(request.url)
  try {
    const response = await exchange(request, connection)
    const status = response.statusCode ?? 0
    noteSuccess(origin)
    if (status >= 300 && status < 400) throw new Error(`a redirect (${status}) is not followed`)
    const { 'content-type': contentType, 'content-encoding': contentEncoding } = response.headers
    return {
      status,
      text: await boundedText(response),
      ...(contentType !== undefined && { contentType }),
      ...(contentEncoding !== undefined && { contentEncoding }),
      ...retryAfter(response.headers),
    }
  } catch (error) {
    throw markAway(new OutboundFailure(connection.isMade, error), origin)
  }
}

/**
 * Node's plain client on a fresh connection each time, rather than fetch: a connection taken from a pool may turn out
 * closed after the request was written, and then it is unknown whether it arrived.
 */
function exchange(request: Looked, connection: { isMade: boolean }): Promise<http.IncomingMessage> {
  const url = new URL(request.url)
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const outgoing = (isSecure ? https : http).request(url, {
      method: request.method,
      headers: request.headers ?? {},
      agent: false,
      ...(request.lookup && { lookup: request.lookup }),
      // Explicit, so that no environment variable can switch it off.
      ...(isSecure ? { rejectUnauthorized: true } : {}),
      signal: AbortSignal.timeout(request.timeoutMs),
    })
    const connecting = setTimeout(
      () => outgoing.destroy(new Error('no connection in time')),
      request.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    )
    outgoing.on('socket', (socket) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        connection.isMade = true
        clearTimeout(connecting)
      }),
    )
    outgoing.on('close', () => {
      clearTimeout(connecting)
      // After an unrequested 101, Node closes without answer or error. Answers are reported before this.
      reject(new Error('the connection was closed without an answer'))
    })
    outgoing.on('error', reject)
    outgoing.on('response', resolve)
    outgoing.end(request.body)
  })
}

/** SePay sends the same value in another header. None of these services sends a date instead of seconds. */
function retryAfter(headers: http.IncomingHttpHeaders): Pick<OutboundAnswer, 'retryAfterSeconds'> {
  const given = headers['retry-after'] ?? headers['x-sepay-userapi-retry-after']
  return typeof given === 'string' && /^\d{1,6}$/.test(given) ? { retryAfterSeconds: Number(given) } : {}
}

async function boundedText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > ANSWER_BYTES_MAX) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
