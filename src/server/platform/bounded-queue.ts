import { shareOfMachine } from './this-process.ts'

/** What the machine bears: several processes of it share the places, `leastEach` (1) of them at least in each. */
type Bounds = {
  runningMax: number
  waitingMax: number
  leastEach?: number
  waitMsMax: number
  /** The error for callers when the queue is full or the wait is too long. */
  refusal: () => Error
}

/** Runs `work` when a place is free, first come, first served. */
export type BoundedQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

export function boundedQueue({ waitMsMax, refusal, leastEach = 1, ...machine }: Bounds): BoundedQueue {
  const runningMax = shareOfMachine(machine.runningMax, leastEach)
  const waitingMax = shareOfMachine(machine.waitingMax)
  let running = 0
  const waiting = new Set<() => void>()

  const place = () =>
    new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        waiting.delete(enter)
        running++
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(enter)
        reject(refusal())
      }, waitMsMax)
      waiting.add(enter)
    })

  return async (work) => {
    if (running < runningMax) running++
    else if (waiting.size < waitingMax) await place()
    else throw refusal()
    try {
      return await work()
    } finally {
      running--
      const [next] = waiting
      next?.()
    }
  }
}
