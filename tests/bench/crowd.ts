import { fork, type ChildProcess } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextMessage } from '../harness/fleet.ts'
import { quantile, sum } from '../harness/numbers.ts'
import { readyRequest } from './steady-load.ts'

/** When which event was sent, by its number. */
type Sent = Record<number, number>

export type Received = {
  spectators: number
  events: number
  /** Of events that did not reach a spectator. */
  missing: number
  /** Received more than once. */
  doubled: number
  /** Streams that the portal ended, and their spectators opened again. */
  reopened: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

export type Crowd = { received(sent: Sent): Promise<Received> }

/**
 * Spectators of one stream in a process of their own, which costs as little as can be: what they need of the machine is not
 * the portal's.
 */
export async function gatherCrowd(
  cleanup: AsyncDisposableStack,
  { url, path, spectators, event }: { url: string; path: string; spectators: number; event: number },
): Promise<Crowd> {
  const words = [url, path, String(spectators), String(event)]
  const child: ChildProcess = fork(new URL(import.meta.url), words, { execArgv: [] })
  cleanup.defer(() => void child.kill())
  await nextMessage(child)
  return {
    async received(sent) {
      const received = nextMessage<Received>(child)
      child.send(sent)
      return await received
    },
  }
}

const OPENED_AT_ONCE = 50
const AGAIN_MS = 1_000

/** When each event came, by its number. */
const times = new Map<number, number[]>()

function timesOf(number: number): number[] {
  const known = times.get(number)
  if (known !== undefined) return known
  const none: number[] = []
  times.set(number, none)
  return none
}

class Spectator {
  reopened = 0
  readonly #server: URL
  readonly #path: string
  #last: number
  #rest = ''
  doubled = 0

  constructor(server: URL, path: string, last: number) {
    this.#server = server
    this.#path = path
    this.#last = last
  }

  /** Ready once the portal has answered. */
  open(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = connect({ host: this.#server.hostname, port: Number(this.#server.port) })
    socket.setEncoding('latin1')
    socket.once('connect', () => socket.write(readyRequest({ path: `${this.#path}?after=${this.#last}` })))
    socket.once('data', (text: string) => {
      if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(`a stream was answered\n${text}`))
      resolve()
      this.#listen(socket)
      this.#take(text)
    })
    socket.once('error', reject)
    return promise
  }

  #listen(socket: Socket): void {
    socket.on('data', (text: string) => this.#take(text))
    socket.on('error', () => {})
    socket.once('close', () => {
      this.reopened += 1
      this.#rest = ''
      void this.#openAgain()
    })
  }

  async #openAgain(): Promise<void> {
    for (;;) {
      await sleep(Math.random() * AGAIN_MS)
      if (
        await this.open().then(
          () => true,
          () => false,
        )
      )
        return
    }
  }

  /** Only the numbers of events are read; one may be cut anywhere. */
  #take(text: string): void {
    const now = Date.now()
    const all = this.#rest + text
    for (const [, digits] of all.matchAll(/id: (\d+)\n/g)) {
      const number = Number(digits)
      if (number <= this.#last) this.doubled += 1
      else timesOf(number).push(now)
      this.#last = Math.max(this.#last, number)
    }
    const end = all.lastIndexOf('id: ')
    this.#rest = end >= 0 && !all.includes('\n', end) ? all.slice(end) : all.slice(-3)
  }
}

/** The forked process: it says when all streams are open, and at the next message what came and when. */
async function run(url: string, path: string, { count, event }: { count: number; event: number }) {
  const all = Array.from({ length: count }, () => new Spectator(new URL(url), path, event))
  const waiting = [...all]
  const openOn = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next.open()
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openOn))
  process.once('message', (sent: Sent) => process.send?.(receivedOf(all, sent)))
  process.send?.('gathered')
  while (process.connected) await sleep(AGAIN_MS)
  process.exit()
}

function receivedOf(all: readonly Spectator[], sent: Sent): Received {
  const events = Object.entries(sent)
  const waits = events.flatMap(([number, sentAt]) => timesOf(Number(number)).map((at) => at - sentAt))
  return {
    spectators: all.length,
    events: events.length,
    missing: all.length * events.length - waits.length,
    doubled: sum(all.map(({ doubled }) => doubled)),
    reopened: sum(all.map(({ reopened }) => reopened)),
    p50Ms: quantile(waits, 0.5),
    p99Ms: quantile(waits, 0.99),
    maxMs: quantile(waits, 1),
  }
}

if (import.meta.main) {
  const [url = '', path = '', count, event] = process.argv.slice(2)
  await run(url, path, { count: Number(count), event: Number(event) })
}
