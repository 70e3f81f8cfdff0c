import {
  BurstyRateLimiter,
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { ownPlace, type ProcessPlace } from '../process/identity.ts'

export type Counted = { name: string; points: number; seconds: number }

export type Limiter = {
  /** Rejects with a RateLimiterRes when it is one too many. */
  consume(key: string): Promise<RateLimiterRes>
  reward(key: string): Promise<RateLimiterRes>
  penalty(key: string): Promise<RateLimiterRes>
  get(key: string): Promise<RateLimiterRes | null>
}

/** The primary answers within a millisecond, unless the machine is at its end. */
const ANSWER_MS_MAX = 1_000

/**
 * Counts in memory what one machine allows, however many processes share its calls. Half of the points are divided
 * among the processes and cost nothing to count; only whoever has used up a process's part is counted by the primary,
 * which has the other half. So no client gets more than the points, the usual ones cost no message, and one that stays
 * with one process still gets more than half.
 */
export function openMachineLimiter(limit: Counted, place = ownPlace): Limiter {
  const { name, points, seconds } = limit
  if (place === null || place.role === 'worker' || place.webs === 1) {
    return new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
  }
  const parts = partsOf(points, place)
  const near = new RateLimiterMemory({ keyPrefix: name, points: parts.near, duration: seconds })
  const far = new RateLimiterCluster({
    keyPrefix: name,
    points: parts.far,
    duration: seconds,
    timeoutMs: ANSWER_MS_MAX,
  })
  const both = new BurstyRateLimiter(near, far)
  return {
    consume: (key) =>
      both.consume(key).catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) throw refused
        // Without an answer there is only the part of this process, and that is used up.
        throw new RateLimiterRes(0, ANSWER_MS_MAX)
      }),
    reward: (key) => far.reward(key),
    penalty: (key) => far.penalty(key).catch(() => near.penalty(key)),
    get: (key) => far.get(key),
  }
}

/** In the primary: answers the processes it starts. */
export const countForMachine = (): RateLimiterClusterMaster => new RateLimiterClusterMaster()

export function partsOf(points: number, { webs }: Pick<ProcessPlace, 'webs'>): { near: number; far: number } {
  const near = Math.floor(points / (2 * webs))
  return { near, far: points - near * webs }
}
