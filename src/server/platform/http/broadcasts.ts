import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { DatabaseListener } from '../db/notices.ts'
import type { Log } from '../log/log.ts'
import { changeGauge, count } from '../metrics/metrics.ts'
import { shareOfMachine } from '../process/identity.ts'
import { invariant, Refusal } from '../values/errors.ts'
import type { Api } from './api.ts'
import { OpenByClient } from './client-connections.ts'
import { validateQuery } from './validate.ts'

/** Limits of a stream that anybody may follow. Many phones share one address, so an address may have far more than a player. */
export const BROADCAST_LIMITS = {
  pollMs: 5_000,
  heartbeatMs: 15_000,
  /** Streams end after a time between the half and the whole of this, so that not all of them come back at once. */
  lifetimeMs: 1_200_000,
  perProcess: 10_000,
  perAddress: 200,
  /** Events of one topic that are kept for those who come back. */
  kept: 500,
  /** A client that leaves more than this unread is disconnected; it comes back and goes on behind its last event. */
  unreadBytes: 262_144,
}

/**
 * So many followers are written to at once, with pauses between them: thousands of writes in a row would hold up the
 * requests of others, who wait for no longer than these few. Five thousand are told within a second.
 */
const AT_ONCE = 10
const PAUSE_MS = 1

type BroadcastLimits = typeof BROADCAST_LIMITS

/** Events of a topic have numbers that rise by one. */
export type NumberedEvent = { number: number; data: unknown }

/** Events that everybody receives who follows a topic: each is read and written once, however many follow. */
export type BroadcastSource = {
  /** The call as the contract describes it: its answer is the data of each event. */
  endpoint: Endpoint
  /** Announces `<topic> <number>`. */
  channel: string
  /** The topic of a request. Throws when there is none. */
  topicOf(params: unknown): Promise<string>
  /** The number of the last event. */
  lastOf(topic: string): Promise<number>
  /** Those behind this number, the oldest first, at most `limit`. */
  eventsAfter(topic: string, number: number, limit: number): Promise<NumberedEvent[]>
  /** What the passing of time changes: data without a number, and when to look again. */
  changesByTime?(topic: string): Promise<{ data: readonly unknown[]; againInMs: number | null }>
}

type Reading = Pick<BroadcastSource, 'lastOf' | 'eventsAfter' | 'changesByTime'>

/** Sent to those who missed more events than are kept: what they show has to be read again. */
export const MISSED = { isWhole: true }

type Following = { number: number; endsAt: number; unreadMax: number }

class Follower {
  readonly readable = new Readable({ read() {} })
  readonly endsAt: number
  readonly #unreadMax: number
  #isEnded = false
  /** The last event that was sent. */
  number: number

  constructor({ number, endsAt, unreadMax }: Following) {
    this.number = number
    this.endsAt = endsAt
    this.#unreadMax = unreadMax
  }

  write(text: Buffer): void {
    if (this.#isEnded || this.readable.destroyed) return
    if (this.readable.readableLength + text.length > this.#unreadMax) this.readable.destroy()
    else this.readable.push(text)
  }

  /** A second time it is disconnected: it has not read what came before the end. */
  end(): void {
    if (this.#isEnded) this.readable.destroy()
    else if (!this.readable.destroyed) this.readable.push(null)
    this.#isEnded = true
  }
}

const textOf = ({ number, data }: NumberedEvent) =>
  Buffer.from(`id: ${number}\ndata: ${JSON.stringify(data)}\n\n`)

/** A comment. */
const SIGN_OF_LIFE = Buffer.from(': \n\n')

/** Calls `send` for each of them. */
async function forEach(followers: ReadonlySet<Follower>, send: (follower: Follower) => void): Promise<void> {
  let count = 0
  for (const follower of followers) {
    send(follower)
    if (++count % AT_ONCE === 0) await sleep(PAUSE_MS)
  }
}

/** One topic of this process, while somebody follows it. */
class Topic {
  readonly followers = new Set<Follower>()
  readonly #name: string
  readonly #source: Reading
  readonly #limits: BroadcastLimits
  /** The newest events, with their texts. */
  readonly #kept: { number: number; text: Buffer }[] = []
  #last: number
  #reading: Promise<void> | null = null
  #isAskedAgain = false
  #timer: NodeJS.Timeout | undefined

  constructor(name: string, last: number, { source, limits }: { source: Reading; limits: BroadcastLimits }) {
    this.#name = name
    this.#last = last
    this.#source = source
    this.#limits = limits
  }

  get last(): number {
    return this.#last
  }

  /** What a follower who has the events up to this number has missed; null where it is more than is kept, or sent at once. */
  missedSince(number: number): Buffer | null {
    const first = this.#kept[0]
    if (number < this.#last && (first === undefined || number < first.number - 1)) return null
    const missed = this.#kept.filter((event) => event.number > number).map(({ text }) => text)
    const bytes = missed.reduce((all, text) => all + text.length, 0)
    return bytes > this.#limits.unreadBytes / 2 ? null : Buffer.concat(missed)
  }

  /** Reads what is new and sends it to all; calls that come meanwhile are answered by one more reading. */
  readAgain(): Promise<void> {
    if (this.#reading !== null) {
      this.#isAskedAgain = true
      return this.#reading
    }
    this.#reading = this.#readOn().finally(() => (this.#reading = null))
    return this.#reading
  }

  async #readOn(): Promise<void> {
    do {
      this.#isAskedAgain = false
      const { kept } = this.#limits
      const events = await this.#source.eventsAfter(this.#name, this.#last, kept)
      for (const event of events) await this.#send(event)
      if (events.length === kept) this.#isAskedAgain = true
      await this.#sendChangesByTime()
    } while (this.#isAskedAgain)
  }

  async #send(event: NumberedEvent): Promise<void> {
    const text = textOf(event)
    this.#last = event.number
    this.#kept.push({ number: event.number, text })
    if (this.#kept.length > this.#limits.kept) this.#kept.shift()
    await forEach(this.followers, (follower) => {
      if (follower.number >= event.number) return
      follower.number = event.number
      follower.write(text)
    })
  }

  async #sendChangesByTime(): Promise<void> {
    clearTimeout(this.#timer)
    const changes = await this.#source.changesByTime?.(this.#name)
    if (changes === undefined) return
    for (const data of changes.data) {
      const text = Buffer.from(`data: ${JSON.stringify(data)}\n\n`)
      await forEach(this.followers, (follower) => follower.write(text))
    }
    if (changes.againInMs !== null && this.followers.size > 0) {
      this.#timer = setTimeout(() => void this.readAgain().catch(() => {}), Math.max(changes.againInMs, 50))
      this.#timer.unref()
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const follower of this.followers) follower.end()
  }
}

type Opening = { topic: string; after: number | null; address: string }

/** The followers of this process: bounded in number, by address and in time, and all ended at shutdown. */
export class Broadcasts {
  readonly #source: Reading
  readonly #limits: BroadcastLimits
  readonly #log: Log
  readonly #topics = new Map<string, Promise<Topic>>()
  readonly #byAddress: OpenByClient
  readonly #timers: NodeJS.Timeout[]
  #size = 0

  constructor(source: Reading, { limits, log }: { limits: BroadcastLimits; log: Log }) {
    this.#source = source
    this.#limits = limits
    this.#log = log
    this.#byAddress = new OpenByClient(limits.perAddress)
    this.#timers = [
      setInterval(() => void this.#readAll(), limits.pollMs).unref(),
      setInterval(() => void this.#beat(), limits.heartbeatMs).unref(),
    ]
  }

  /** Follows a topic from behind the event `after`, or from now on. Throws RATE_LIMITED and UNAVAILABLE. */
  async open({ topic: name, after, address }: Opening): Promise<Readable> {
    if (this.#size >= this.#limits.perProcess) throw tooMany('UNAVAILABLE')
    const { excess, remove } = this.#byAddress.add(address)
    if (excess > 0) {
      remove()
      count('portal_clients_refused_total', { kind: 'stream' })
      throw tooMany('RATE_LIMITED')
    }
    try {
      const topic = await this.#topicOf(name)
      const { lifetimeMs, unreadBytes } = this.#limits
      const endsAt = performance.now() + lifetimeMs / 2 + Math.random() * (lifetimeMs / 2)
      const follower = new Follower({ number: topic.last, endsAt, unreadMax: unreadBytes })
      this.#admit(topic, follower, { name, remove })
      const missed = topic.missedSince(after ?? topic.last)
      follower.write(SIGN_OF_LIFE)
      follower.write(missed ?? textOf({ number: topic.last, data: MISSED }))
      return follower.readable
    } catch (error) {
      remove()
      throw error
    }
  }

  /** An event of a topic is there. */
  hint(name: string): void {
    void this.#readOne(name)
  }

  endAll(): void {
    for (const timer of this.#timers) clearInterval(timer)
    for (const topic of this.#topics.values()) void topic.then((one) => one.close()).catch(() => {})
  }

  #admit(topic: Topic, follower: Follower, { name, remove }: { name: string; remove: () => void }): void {
    topic.followers.add(follower)
    // The last other follower may have left while this one waited for the topic.
    this.#topics.set(name, Promise.resolve(topic))
    this.#size += 1
    changeGauge('portal_event_streams', {}, 1)
    follower.readable.once('close', () => {
      topic.followers.delete(follower)
      this.#size -= 1
      changeGauge('portal_event_streams', {}, -1)
      remove()
      if (topic.followers.size > 0) return
      topic.close()
      this.#topics.delete(name)
    })
  }

  /** The first follower opens the topic; the others of the same moment wait for it. */
  #topicOf(name: string): Promise<Topic> {
    const known = this.#topics.get(name)
    if (known !== undefined) return known
    const opening = this.#openTopic(name)
    this.#topics.set(name, opening)
    opening.catch(() => this.#topics.delete(name))
    return opening
  }

  async #openTopic(name: string): Promise<Topic> {
    const last = await this.#source.lastOf(name)
    // Those who come back soon after the start of this process have missed little.
    const from = Math.max(0, last - this.#limits.kept)
    const topic = new Topic(name, from, { source: this.#source, limits: this.#limits })
    await topic.readAgain()
    return topic
  }

  async #readOne(name: string): Promise<void> {
    try {
      await (await this.#topics.get(name))?.readAgain()
    } catch (error) {
      // The next poll tries again.
      this.#log.warn({ err: error, topic: name }, 'new events could not be read')
    }
  }

  async #readAll(): Promise<void> {
    for (const name of this.#topics.keys()) await this.#readOne(name)
  }

  /** A comment prevents proxies from closing a silent connection, and detects that the client is gone. */
  async #beat(): Promise<void> {
    const now = performance.now()
    for (const opening of this.#topics.values()) {
      const topic = await opening.catch(() => null)
      if (topic === null) continue
      await forEach(topic.followers, (follower) => {
        if (follower.endsAt <= now) follower.end()
        else follower.write(SIGN_OF_LIFE)
      })
    }
  }
}

const RETRY_SECONDS = 10

const tooMany = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
  new Refusal(code, {
    ...(code === 'RATE_LIMITED' && {
      message: 'Mạng của bạn đang mở quá nhiều trang tự cập nhật cùng lúc, vui lòng đóng bớt trang',
    }),
    retryAfterSeconds: RETRY_SECONDS,
  })

/** From `Last-Event-ID`, which a browser sends when it comes back, or `?after=`. */
function numberOf(header: unknown, query: unknown): number | null {
  if (typeof header === 'string' && /^\d{1,9}$/.test(header)) return Number(header)
  const { after } = query as { after?: string }
  return after === undefined ? null : Number(after)
}

/** Serves events of a topic to anybody. Clients that cannot stream poll instead. */
export function serveBroadcast(
  app: FastifyInstance,
  api: Api,
  { listener, log }: { listener: DatabaseListener; log: Log },
  { endpoint, channel, topicOf, ...source }: BroadcastSource,
): void {
  const { path, access } = endpoint
  invariant(access === 'open', 'broadcasts are for anybody')
  api.describe(endpoint)
  const broadcasts = new Broadcasts(source, {
    log,
    limits: { ...BROADCAST_LIMITS, perProcess: shareOfMachine(BROADCAST_LIMITS.perProcess, 2) },
  })
  app.addHook('preClose', async () => broadcasts.endAll())
  listener.on(channel, (message) => broadcasts.hint(message.split(' ')[0] ?? ''))
  app.route({
    method: 'GET',
    url: `/api${path.replace(/\{(\w+)\}/g, ':$1')}`,
    // A HEAD would open a stream for nothing.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const topic = await topicOf(request.params)
      const query = endpoint.query ? validateQuery(endpoint.query, request.query) : {}
      const after = numberOf(request.headers['last-event-id'], query)
      const readable = await broadcasts.open({ topic, after, address: request.ip })
      reply.header('content-type', 'text/event-stream; charset=utf-8')
      reply.header('cache-control', 'no-store')
      // Buffering proxies would hold each event back until there are enough of them.
      reply.header('x-accel-buffering', 'no')
      return reply.send(readable)
    },
  })
}
