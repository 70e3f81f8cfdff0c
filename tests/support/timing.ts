import { setTimeout } from 'node:timers/promises'

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * How long at most this thread worked on without a turn for others while `work` went on, in milliseconds of its own CPU
 * time: that a machine is busy with something else does not count.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const watched = { isDone: false, longest: 0 }
  const watching = (async () => {
    let last = cpuMs()
    while (!watched.isDone) {
      // A turn each millisecond: one at every chance would take a core of its own from the work.
      await setTimeout(1)
      const now = cpuMs()
      watched.longest = Math.max(watched.longest, now - last)
      last = now
    }
  })()
  try {
    await work()
  } finally {
    watched.isDone = true
    await watching
  }
  return watched.longest
}

/** The shortest of several runs, in milliseconds: what else goes on on the machine only ever adds. */
export async function quickest(work: () => unknown, { runs = 4 } = {}): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    await work()
    shortest = Math.min(shortest, performance.now() - started)
  }
  return shortest
}

const ROWS = JSON.stringify(Array.from({ length: 40_000 }, (_, id) => ({ id, name: `row ${id}` })))
/** What reading ROWS takes on a machine on which the bounds of the tests hold with room to spare. */
const ROWS_MS = 10

/**
 * By how much this thread is slower at the moment than where the bounds of the tests hold, by its own CPU time; at least 1.
 * What else runs on the machine takes caches and half of a core from it, and not always the same.
 */
export function slownessNow({ runs = 4 } = {}): number {
  const before = cpuMs()
  for (let run = 0; run < runs; run++) JSON.parse(ROWS)
  return Math.max(1, (cpuMs() - before) / runs / ROWS_MS)
}

/** A bound in milliseconds for this machine as it is at the moment, which may be slower than it was an hour before. */
export const boundHere = async (ms: number): Promise<number> =>
  ms * Math.max(1, (await quickest(() => JSON.parse(ROWS), { runs: 10 })) / ROWS_MS)

/**
 * For `refreshRankings`: whatever the age of the last snapshot. The portal's clock counts milliseconds and PostgreSQL's parts
 * of them, so that with 0 one that was taken a moment ago would not be old enough.
 */
export const ANY_AGE = { ageSeconds: -0.001 }
