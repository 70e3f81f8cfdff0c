import { shareOfMachine } from './identity.ts'

/** Who waits, each for a key (an address): the keys are served in turn, and those of one key in their order. */
export class FairQueue<One> {
  readonly #lines = new Map<string, Set<One>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many keys have somebody in the queue. */
  get keys(): number {
    return this.#lines.size
  }

  sizeOf(key: string): number {
    return this.#lines.get(key)?.size ?? 0
  }

  add(key: string, one: One): void {
    const line = this.#lines.get(key)
    if (line === undefined) this.#lines.set(key, new Set([one]))
    else line.add(one)
    this.#size++
  }

  remove(key: string, one: One): void {
    const line = this.#lines.get(key)
    if (!line?.delete(one)) return
    if (line.size === 0) this.#lines.delete(key)
    this.#size--
  }

  /** Takes out whose turn it is. */
  next(): One | undefined {
    for (const [key, line] of this.#lines) {
      const [first] = line
      this.#lines.delete(key)
      line.delete(first as One)
      // The key's next one comes after one of each other key.
      if (line.size > 0) this.#lines.set(key, line)
      this.#size--
      return first
    }
    return undefined
  }

  /** How many are served before one more of this key, when nobody else comes. */
  aheadOf(key: string): number {
    const own = this.sizeOf(key)
    let ahead = 0
    let rounds = own + 1
    for (const [other, line] of this.#lines) {
      // Those behind it have one turn less.
      if (other === key) rounds = own
      ahead += Math.min(line.size, rounds)
    }
    return ahead
  }

  /** The last of the longest queue of a key, when that is longer than this key's would be with one more; who makes room for it. */
  lastOfLongest(key: string): One | undefined {
    let longest = this.#lines.get(key)
    const enough = (longest?.size ?? 0) + 1
    for (const line of this.#lines.values()) if (line.size > (longest?.size ?? 0)) longest = line
    return longest !== undefined && longest.size > enough ? [...longest].at(-1) : undefined
  }
}

/** What the machine bears: several processes of it share the places, `leastEach` (1) of them at least in each. */
type Bounds = {
  runningMax: number
  waitingMax: number
  leastEach?: number
  waitMsMax: number
  /**
   * The error for callers who would wait too long, with the seconds after which there may be a place. `isOwnDoing`: only
   * because of what the same key requested before; somebody else would be served in time.
   */
  refusal: (seconds: number, isOwnDoing: boolean) => Error
}

/**
 * Runs `work` when a place is free, first come, first served; of several keys in turn, so that nobody waits for all that
 * somebody else has requested at once.
 */
export type BoundedQueue = <Result>(work: () => Promise<Result>, key?: string) => Promise<Result>

/** How much the last work counts for the estimate of the next one. */
const WEIGHT = 0.1

const RETRY_SECONDS_MIN = 2

type Waiting = { enter: () => void; refuse: () => void }

/**
 * The queue is as long as can be served within `waitMsMax`, by the time that work took lately, and at most `waitingMax`.
 * Who comes when it is full is refused at once; when one key has the most in it, its last one is.
 */
export function boundedQueue({ waitMsMax, refusal, leastEach = 1, ...machine }: Bounds): BoundedQueue {
  const runningMax = shareOfMachine(machine.runningMax, leastEach)
  const waitingMax = shareOfMachine(machine.waitingMax)
  const queue = new FairQueue<Waiting>()
  let running = 0
  /** Recent duration of one piece of work; 0 before the first. */
  let tookMs = 0

  const waitMsOf = (ahead: number) => ((ahead + 1) * tookMs) / runningMax
  const refused = (ownAhead: number) =>
    refusal(
      Math.max(RETRY_SECONDS_MIN, Math.ceil(waitMsOf(queue.size) / 1_000)),
      // Whoever has nothing in the queue waits for one of each key.
      ownAhead > 0 && waitMsOf(queue.keys) <= waitMsMax,
    )

  const place = (key: string) =>
    new Promise<void>((resolve, reject) => {
      const ownAhead = queue.sizeOf(key)
      const waiting = {
        enter() {
          clearTimeout(timer)
          running++
          resolve()
        },
        refuse() {
          clearTimeout(timer)
          queue.remove(key, waiting)
          reject(refused(ownAhead))
        },
      }
      const timer = setTimeout(() => waiting.refuse(), waitMsMax)
      queue.add(key, waiting)
    })

  async function wait(key: string): Promise<void> {
    if (waitMsOf(queue.aheadOf(key)) > waitMsMax) throw refused(queue.sizeOf(key))
    if (queue.size >= waitingMax) {
      const last = queue.lastOfLongest(key)
      if (last === undefined) throw refused(queue.sizeOf(key))
      last.refuse()
    }
    await place(key)
  }

  return async (work, key = '') => {
    if (running < runningMax) running++
    else await wait(key)
    const start = performance.now()
    try {
      return await work()
    } finally {
      const ms = performance.now() - start
      tookMs = tookMs === 0 ? ms : tookMs + WEIGHT * (ms - tookMs)
      running--
      queue.next()?.enter()
    }
  }
}
