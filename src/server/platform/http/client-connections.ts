import type { IncomingMessage, ServerResponse } from 'node:http'
import { BlockList, isIP, type Server, type Socket } from 'node:net'
import type { Log } from '../log/log.ts'
import { count } from '../metrics/metrics.ts'
import { clientKey, plainAddress } from './client-address.ts'
import { SECURITY_HEADERS } from './edge.ts'
import { Refusal } from '../values/errors.ts'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The addresses and networks of TRUST_PROXY. */
export function proxyList(trustProxy: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of trustProxy) {
    const [network = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(network, familyOf(network))
    else list.addSubnet(network, Number(bits), familyOf(network))
  }
  return list
}

/** How many of something each client has open: by address, of IPv6 by its /64 network. 0 as the limit is none. */
export class OpenByClient {
  readonly #counts = new Map<string, number>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** By how much the client is above the limit with one more, which is counted; 0 while there is room. */
  add(address: string): { excess: number; isPastHalf: boolean; remove: () => void } {
    if (this.#max === 0) return { excess: 0, isPastHalf: false, remove: () => {} }
    const key = clientKey(address)
    const open = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, open)
    let isOpen = true
    const remove = () => {
      if (!isOpen) return
      isOpen = false
      const left = (this.#counts.get(key) ?? 1) - 1
      if (left === 0) this.#counts.delete(key)
      else this.#counts.set(key, left)
    }
    return { excess: Math.max(0, open - this.#max), isPastHalf: open > this.#max / 2, remove }
  }
}

const RETRY_SECONDS = 10
/** A connection above the limit has so long to send a request, which is answered 429. */
const REFUSAL_MS_MAX = 2_000
/** Above the limit by more than this, connections are closed at once. */
const REFUSED_MAX = 50

const LOG_PAUSE_MS = 60_000

type Options = { log: Log; trustProxy: readonly string[]; connectionsMax: number }

/**
 * Limits the open connections of each address. A trusted proxy has as many as it needs: it is the one that knows its
 * clients, and limits them. What is above the limit is answered 429 on its first request and closed, or closed when it
 * sends none.
 */
export class ClientConnections {
  readonly #open: OpenByClient
  readonly #proxies: BlockList
  readonly #log: Log
  readonly #refused = new WeakSet<Socket>()
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor({ log, trustProxy, connectionsMax }: Options) {
    this.#open = new OpenByClient(connectionsMax)
    this.#proxies = proxyList(trustProxy)
    this.#log = log
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#take(socket))
  }

  /** Whether the request came over a connection too many; it is answered then. */
  refuses(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#refused.has(request.socket)) return false
    const { status, message, code } = new Refusal('RATE_LIMITED')
    response.writeHead(status, {
      ...SECURITY_HEADERS,
      'cache-control': 'no-store',
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'retry-after': String(RETRY_SECONDS),
    })
    response.end(JSON.stringify({ code, message }))
    return true
  }

  #take(socket: Socket): void {
    const { remoteAddress } = socket
    // A connection that is over already, or came over no network.
    if (remoteAddress === undefined) return
    const address = plainAddress(remoteAddress)
    if (this.#proxies.check(address, familyOf(address))) return
    const { excess, remove } = this.#open.add(address)
    socket.once('close', remove)
    if (excess > 0) this.#refuse(socket, { address, excess })
  }

  #refuse(socket: Socket, { address, excess }: { address: string; excess: number }): void {
    count('portal_clients_refused_total', { kind: 'connection' })
    if (performance.now() - this.#loggedAt > LOG_PAUSE_MS) {
      this.#loggedAt = performance.now()
      this.#log.warn({ event: 'http.too-many-connections', address }, 'an address has too many connections')
    }
    if (excess > REFUSED_MAX) return void socket.destroy()
    this.#refused.add(socket)
    const timer = setTimeout(() => socket.destroy(), REFUSAL_MS_MAX)
    socket.once('close', () => clearTimeout(timer))
  }
}
