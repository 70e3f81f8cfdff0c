import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../db/database.ts'
import { Refusal, invariant } from '../values/errors.ts'
import type { Vault } from '../db/vault.ts'
import { openMachineLimiter, type Limiter } from './machine-limiter.ts'
import { consumeOnce, openSharedLimiter } from './shared-limiter.ts'

/** So many points in so many seconds, counted from the first of them. */
export type Limit = {
  /** Unique; part of the stored key. */
  name: string
  points: number
  seconds: number
  /**
   * `database`: shared by all machines, stored over restarts. `machine`: shared by the processes of one machine, in their
   * memory, for what every call costs and where a restart forgiving a minute does no harm.
   */
  storage: 'database' | 'machine'
}

const limitIn =
  (storage: Limit['storage']) =>
  (name: string, points: number, seconds: number): Limit => ({ name, points, seconds, storage })

/** A limit that all machines share. */
export const sharedLimit = limitIn('database')

/** A limit that each machine counts for itself. */
export const machineLimit = limitIn('machine')

export type Limits = {
  /**
   * Counts one act under a key (a player's id, a phone, an address). Throws RATE_LIMITED, with the seconds until the
   * count begins again, when it is one too many; that one is counted too, and changes nothing else.
   */
  consume(limit: Limit, key: string): Promise<void>
  /**
   * Counts something under a key once, however often it comes: one that was counted no longer ago than the limit's
   * seconds costs nothing. The count ends so long after the last new one. One too many throws RATE_LIMITED and is not
   * counted. For limits that the database counts.
   */
  consumeNew(limit: Limit, key: string, what: string): Promise<void>
  /** Takes one back: the act turned out not to be of the kind that is limited. */
  giveBack(limit: Limit, key: string): Promise<void>
  /** Throws as `consume` would, and counts nothing. */
  check(limit: Limit, key: string): Promise<void>
  /** Counts one without refusing; returns the new count. */
  tally(limit: Limit, key: string): Promise<number>
  /** How many were counted since the count began last. */
  counted(limit: Limit, key: string): Promise<number>
}

/** Counts one act under several limits of one key, the shorter ones first. */
export async function consumeAll(limits: Limits, all: readonly Limit[], key: string): Promise<void> {
  for (const limit of all) await limits.consume(limit, key)
}

/** Counts one act; the refusal of one too many is returned, for the caller to throw when other checks are done. */
export const overLimitOf = (limits: Limits, limit: Limit, key: string): Promise<Refusal | null> =>
  refusalOf(limits.consume(limit, key))

/** The refusal instead of throwing it; null when there is none. */
export async function refusalOf(counting: Promise<void>): Promise<Refusal | null> {
  try {
    await counting
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function orTooFast<Result>(counting: Promise<Result>): Promise<Result> {
  try {
    return await counting
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw tooFast(error)
  }
}

const tooFast = ({ msBeforeNext }: RateLimiterRes) =>
  new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.ceil(msBeforeNext / 1000) || 1 })

export function openLimits(db: Db, vault: Vault): Limits {
  const limiters = new Map<string, Limiter>()

  function limiterOf({ storage, ...limit }: Limit): Limiter {
    const known = limiters.get(limit.name)
    if (known) return known
    const made = storage === 'machine' ? openMachineLimiter(limit) : openSharedLimiter(db, limit)
    limiters.set(limit.name, made)
    return made
  }

  // Phones and addresses are personal: the table knows them by keyed hash only.
  const storedKey = async (limit: Limit, key: string) =>
    limit.storage === 'machine' ? key : (await vault.hash('rate limit', key)).toString('base64url')

  return {
    async consume(limit, key) {
      await orTooFast(limiterOf(limit).consume(await storedKey(limit, key)))
    },
    async consumeNew(limit, key, what) {
      invariant(limit.storage === 'database', 'what was counted is stored in the database')
      const ofKey = await storedKey(limit, key)
      const ofBoth = await storedKey(limit, `${key}\n${what}`)
      await orTooFast(consumeOnce(db, limit, { ofKey, ofBoth }))
    },
    async giveBack(limit, key) {
      await limiterOf(limit).reward(await storedKey(limit, key))
    },
    async check(limit, key) {
      const found = await limiterOf(limit).get(await storedKey(limit, key))
      if (found !== null && found.consumedPoints >= limit.points) throw tooFast(found)
    },
    async tally(limit, key) {
      return (await limiterOf(limit).penalty(await storedKey(limit, key))).consumedPoints
    },
    async counted(limit, key) {
      const found = await limiterOf(limit).get(await storedKey(limit, key))
      return found?.consumedPoints ?? 0
    },
  }
}
