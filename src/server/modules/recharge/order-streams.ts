import { Readable } from 'node:stream'
import { isFinal, type OrderStatus } from './order.rules.ts'

/** How long and how many. Every stream holds a connection and asks the database every few seconds. */
export const STREAM_LIMITS = {
  pollMs: 5_000,
  heartbeatMs: 15_000,
  lifetimeMs: 600_000,
  perProcess: 500,
  perPlayer: 5,
}

type StreamLimits = typeof STREAM_LIMITS

type Shown = { status: OrderStatus }

type OrderWatch<Order extends Shown> = {
  userId: string
  first: Order
  /** Reads the order as it is now; null when its watcher may not see it any longer. */
  read(): Promise<Order | null>
  /** Calls back when the order may have changed; answers how to stop. A hint: polling finds every change. */
  onHint(listener: () => void): () => void
  onError(error: unknown): void
}

/** The server-sent event streams of this process: bounded in number and in time, and all ended at shutdown. */
export class OrderStreams {
  readonly #limits: StreamLimits
  readonly #open = new Set<EventText>()
  readonly #countOf = new Map<string, number>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  isFull(): boolean {
    return this.#open.size >= this.#limits.perProcess
  }

  isFullFor(userId: string): boolean {
    return (this.#countOf.get(userId) ?? 0) >= this.#limits.perPlayer
  }

  /** The order at once, then after each change, until it is final or time is up. */
  open<Order extends Shown>(watch: OrderWatch<Order>): Readable {
    const text = new EventText()
    const { look, tell } = follow(text, watch)
    const stopHints = watch.onHint(look)
    const timers = [
      setInterval(look, this.#limits.pollMs),
      // A comment keeps proxies from closing a silent connection, and shows us when the other side is gone.
      setInterval(() => text.write(': \n\n'), this.#limits.heartbeatMs),
      setTimeout(() => text.end(), this.#limits.lifetimeMs),
    ]
    this.#count(watch.userId, 1)
    this.#open.add(text)
    text.readable.once('close', () => {
      stopHints()
      for (const timer of timers) clearTimeout(timer)
      this.#count(watch.userId, -1)
      this.#open.delete(text)
    })
    tell(watch.first)
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

/** Reads when asked to, one reading at a time, and tells what differs from what was told last. */
function follow<Order extends Shown>(text: EventText, { read, onError }: OrderWatch<Order>) {
  let told = ''
  let isReading = false
  let isAskedAgain = false

  const tell = (order: Order) => {
    const json = JSON.stringify(order)
    if (json === told) return
    told = json
    text.write(`data: ${json}\n\n`)
    if (isFinal(order.status)) text.end()
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
        const order = await read()
        if (order === null) text.end()
        else tell(order)
      } while (isAskedAgain && !text.isOver)
    } catch (error) {
      // The next poll tries again; the stream itself is well.
      onError(error)
    } finally {
      isReading = false
    }
  }
  return { look: () => void readOn(), tell }
}
