import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { DatabaseListener } from '../db/notices.ts'
import { changeGauge, count } from '../metrics/metrics.ts'
import { shareOfMachine } from '../process/identity.ts'
import type { Clock } from '../values/clock.ts'
import { invariant, Refusal } from '../values/errors.ts'
import type { Api, Identity } from './api.ts'

/** Limits of duration and number: every stream holds a connection and polls the database every few seconds. */
export const STREAM_LIMITS = {
  pollMs: 5_000,
  /** Of a stream that every page has open, whatever it shows. */
  pollOfEveryPageMs: 30_000,
  heartbeatMs: 15_000,
  lifetimeMs: 600_000,
  perProcess: 1_500,
  perPlayer: 5,
}

type StreamLimits = Omit<typeof STREAM_LIMITS, 'pollOfEveryPageMs'>

export type Watch<Shown> = {
  userId: string
  /** Reads the state that opens the stream; what it throws refuses the stream. */
  readFirst(): Promise<Shown>
  /** Reads the present state; null when the player may not see it any longer. */
  read(): Promise<Shown | null>
  /** Whether this state cannot change any more. */
  isFinal(shown: Shown): boolean
  /** Calls back when the state may have changed; returns a function that stops it. Polling finds changes without it. */
  onHint(listener: () => void): () => void
  onError(error: unknown): void
  /** The portal's time in milliseconds. */
  now(): number
}

/** The server-sent event streams of this process: bounded in number and in time, and all ended at shutdown. */
export class EventStreams {
  readonly #limits: StreamLimits
  readonly #open = new Set<EventText>()
  readonly #countOf = new Map<string, number>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
    changeGauge('portal_event_streams', {}, 0)
  }

  isFull(): boolean {
    return this.#open.size >= this.#limits.perProcess
  }

  isFullFor(userId: string): boolean {
    return (this.#countOf.get(userId) ?? 0) >= this.#limits.perPlayer
  }

  /** Sends the present state at once and after each change, until it is final or time is up. */
  async open<Shown>(watch: Watch<Shown>): Promise<Readable> {
    const text = new EventText()
    const { readFirst, readAgain } = follow(text, watch)
    // Before the first reading: a change during it would be missed until the next poll.
    const stopHints = watch.onHint(readAgain)
    const timers = [
      setInterval(readAgain, this.#limits.pollMs),
      // A comment prevents proxies from closing a silent connection, and detects that the client is gone.
      setInterval(() => text.write(': \n\n'), this.#limits.heartbeatMs),
      setTimeout(() => text.end(), this.#limits.lifetimeMs),
    ]
    this.#count(watch.userId, 1)
    this.#open.add(text)
    changeGauge('portal_event_streams', {}, 1)
    text.readable.once('close', () => {
      stopHints()
      for (const timer of timers) clearTimeout(timer)
      this.#count(watch.userId, -1)
      this.#open.delete(text)
      changeGauge('portal_event_streams', {}, -1)
    })
    try {
      await readFirst()
    } catch (error) {
      text.readable.destroy()
      throw error
    }
    return text.readable
  }

  endAll(): void {
    for (const text of this.#open) text.end()
  }

  #count(userId: string, change: 1 | -1): void {
    const count = (this.#countOf.get(userId) ?? 0) + change
    if (count === 0) this.#countOf.delete(userId)
    else this.#countOf.set(userId, count)
  }
}

/** A readable that can be written to at any time: after its end nothing happens. */
class EventText {
  readonly readable = new Readable({ read() {} })
  #isEnded = false

  get isOver(): boolean {
    return this.#isEnded || this.readable.destroyed
  }

  write(text: string): void {
    if (!this.isOver) this.readable.push(text)
  }

  end(): void {
    if (this.isOver) return
    this.#isEnded = true
    this.readable.push(null)
  }
}

/** Reads on request, one reading at a time, and sends what differs from the last sent state. */
function follow<Shown>(text: EventText, watch: Watch<Shown>) {
  const { read, isFinal, onError, now } = watch
  let sent = ''
  // Until the first state is read.
  let isReading = true
  let isAskedAgain = false

  /** The id is when it was read, as of other answers. */
  const send = (shown: Shown, began_ms: number) => {
    const json = JSON.stringify(shown)
    if (json === sent) return
    sent = json
    text.write(`id: ${began_ms}\ndata: ${json}\n\n`)
    if (isFinal(shown)) text.end()
  }
  const readOn = async () => {
    if (isReading) {
      isAskedAgain = true
      return
    }
    isReading = true
    try {
      do {
        isAskedAgain = false
        const began_ms = now()
        const shown = await read()
        if (shown === null) text.end()
        else send(shown, began_ms)
      } while (isAskedAgain && !text.isOver)
    } catch (error) {
      // The next poll tries again.
      onError(error)
    } finally {
      isReading = false
    }
  }
  const readFirst = async () => {
    const began_ms = now()
    send(await watch.readFirst(), began_ms)
    isReading = false
    if (isAskedAgain) void readOn()
  }
  return { readFirst, readAgain: () => void readOn() }
}

type Counting = { request: FastifyRequest; reply: FastifyReply; isOfEveryPage: boolean }

/**
 * Counts the stream until its answer is over; throws when the client's address has too many. Streams of every page leave
 * half of an address's streams to those about an order or a purchase that is under way.
 */
function countOfAddress(app: FastifyInstance, { request, reply, isOfEveryPage }: Counting): void {
  const { excess, isPastHalf, remove } = app.openStreams.add(request.ip)
  reply.raw.once('close', remove)
  if (excess === 0 && !(isOfEveryPage && isPastHalf)) return
  count('portal_clients_refused_total', { kind: 'stream' })
  throw tooManyOfOneAddress()
}

/** Data that changes while a player reads it. */
export type EventSource<Shown> = {
  /** The call as the contract describes it: its answer is the data of each event. */
  endpoint: Endpoint
  /** Announces changes. */
  channel: string
  /** What one caller watches. */
  watchFor(caller: { userId: string; request: FastifyRequest }): {
    /** Throws when it does not exist for this player. */
    read(identity: Identity): Promise<Shown>
    /** Whether a message of the channel is about it. */
    isAbout(message: string): boolean
  }
  isFinal: Watch<Shown>['isFinal']
  /** Every page of a player has it open: it polls less often, and gives way to the other streams of its address. */
  isOfEveryPage?: boolean
}

const RETRY_SECONDS = 10

const tooManyOfOneAddress = () =>
  new Refusal('RATE_LIMITED', {
    message: 'Mạng của bạn đang mở quá nhiều trang tự cập nhật cùng lúc, vui lòng đóng bớt trang',
    retryAfterSeconds: RETRY_SECONDS,
  })

const tooManyOfOnePlayer = () =>
  new Refusal('RATE_LIMITED', {
    message: 'Bạn đang mở quá nhiều trang tự cập nhật cùng lúc, vui lòng đóng bớt trang',
    retryAfterSeconds: RETRY_SECONDS,
  })

/** Serves data as server-sent events. Clients that cannot stream poll every few seconds instead. */
export function serveEvents<Shown>(
  app: FastifyInstance,
  api: Api,
  { listener, clock }: { listener: DatabaseListener; clock: Clock },
  { endpoint, channel, watchFor, isFinal, isOfEveryPage = false }: EventSource<Shown>,
): void {
  const { path, access } = endpoint
  invariant(access !== 'open', 'streams are for those who are signed in')
  api.describe(endpoint)
  const streams = new EventStreams({
    ...STREAM_LIMITS,
    pollMs: isOfEveryPage ? STREAM_LIMITS.pollOfEveryPageMs : STREAM_LIMITS.pollMs,
    // A player's pages are spread over the processes unevenly, so each allows more than its part.
    perPlayer: shareOfMachine(STREAM_LIMITS.perPlayer, 3),
  })
  app.addHook('preClose', async () => streams.endAll())
  // Listens from the start: a stream that had to subscribe first would miss notifications until then.
  for (const each of [channel, 'session_ended'] as const) listener.on(each, () => {})
  app.route({
    method: 'GET',
    url: `/api${path.replace(/\{(\w+)\}/g, ':$1')}`,
    // A HEAD would open a stream for nothing.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const identity = await api.require(request, access, { isUse: false })
      const { userId, sessionId } = identity
      const { read, isAbout } = watchFor({ userId, request })
      countOfAddress(app, { request, reply, isOfEveryPage })
      if (streams.isFullFor(userId)) throw tooManyOfOnePlayer()
      if (streams.isFull()) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
      const stream = await streams.open({
        userId,
        readFirst: () => read(identity),
        read: async () => {
          const present = await api.admittedNow(request)
          return present === null ? null : read(present)
        },
        isFinal,
        onHint: (hint) => {
          const stops = [
            listener.on(channel, (message) => {
              if (isAbout(message)) hint()
            }),
            listener.on('session_ended', (id) => {
              if (id === sessionId) hint()
            }),
          ]
          return () => {
            for (const stop of stops) stop()
          }
        },
        now: () => clock.now().getTime(),
        onError: (error) => request.log.warn({ err: error }, 'what a stream shows could not be read'),
      })
      reply.header('content-type', 'text/event-stream; charset=utf-8')
      reply.header('cache-control', 'no-store')
      // Buffering proxies would hold each event back until there are enough of them.
      reply.header('x-accel-buffering', 'no')
      return stream
    },
  })
}
