/** The time as the portal sees it; tests hand in their own. Anything two processes must agree on uses the database's. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Waits for work, but no longer than so many milliseconds; work that takes longer goes on. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, tooLong])
  clearTimeout(timer)
}

/** The result of work, or a rejection when it takes longer than so many milliseconds. */
export async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${ms / 1_000} s`)), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
