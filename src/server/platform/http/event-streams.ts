import { Readable } from 'node:stream'
import { changeGauge } from '../metrics/metrics.ts'

/** Limits of duration and number: every stream holds a connection and polls the database every few seconds. */
export const STREAM_LIMITS = {
  pollMs: 5_000,
  heartbeatMs: 15_000,
  lifetimeMs: 600_000,
  perProcess: 1_500,
  perPlayer: 5,
}

type StreamLimits = typeof STREAM_LIMITS

export type Watch<Shown> = {
  userId: string
  first: Shown
  /** Reads the present state; null when the player may not see it any longer. */
  read(): Promise<Shown | null>
  /** Whether this state cannot change any more. */
  isFinal(shown: Shown): boolean
  /** Calls back when the state may have changed; returns a function that stops it. Polling finds changes without it. */
  onHint(listener: () => void): () => void
  onError(error: unknown): void
}

/** The server-sent event streams of this process: bounded in number and in time, and all ended at shutdown. */
export class EventStreams {
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

  /** Sends the present state at once and after each change, until it is final or time is up. */
  open<Shown>(watch: Watch<Shown>): Readable {
    const text = new EventText()
    const { readAgain, send } = follow(text, watch)
    const stopHints = watch.onHint(readAgain)
    const timers = [
      setInterval(readAgain, this.#limits.pollMs),
      // A comment keeps proxies from closing a silent connection, and detects that the client is gone.
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
    send(watch.first)
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
function follow<Shown>(text: EventText, { read, isFinal, onError }: Watch<Shown>) {
  let sent = ''
  let isReading = false
  let isAskedAgain = false

  const send = (shown: Shown) => {
    const json = JSON.stringify(shown)
    if (json === sent) return
    sent = json
    text.write(`data: ${json}\n\n`)
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
        const shown = await read()
        if (shown === null) text.end()
        else send(shown)
      } while (isAskedAgain && !text.isOver)
    } catch (error) {
      // The next poll tries again.
      onError(error)
    } finally {
      isReading = false
    }
  }
  return { readAgain: () => void readOn(), send }
}
