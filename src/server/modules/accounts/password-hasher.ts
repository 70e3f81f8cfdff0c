import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify, type Algorithm } from '@node-rs/argon2'
import { boundedQueue } from '#server/platform/bounded-queue.ts'
import { hasherBusy } from './accounts.errors.ts'
import { hashesAtOnce } from './hashing.rules.ts'

/** argon2id; its enum cannot be imported where types are only erased. */
const ARGON2ID: Algorithm.Argon2id = 2
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

export type PasswordCheck = { isRight: boolean; isOutdated: boolean }

export type PasswordHasher = {
  /** How many passwords the machine hashes at the same time. */
  atOnce: number
  /** `assertWorthIt` is asked when the turn has come: what failed while it waited costs no hash. */
  hash(password: string, assertWorthIt?: () => Promise<void>): Promise<string>
  /** Without a stored hash the work is done all the same, so that an unknown name takes as long as a known one. */
  check(storedHash: string | undefined, password: string): Promise<PasswordCheck>
}

type Bounds = { runningMax: number; waitingMax: number; waitMsMax: number }

/** A hash without a password; checking against it takes as long as a real check. */
function decoyHash(): string {
  const unpadded = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${unpadded(16)}$${unpadded(32)}`
}

function isOutdated(storedHash: string): boolean {
  const used = parseOptions(storedHash)
  return (['algorithm', 'memoryCost', 'timeCost', 'parallelism'] as const).some(
    (name) => used[name] !== PARAMETERS[name],
  )
}

export function createPasswordHasher(bounds: Bounds): PasswordHasher {
  const queued = boundedQueue({ ...bounds, refusal: hasherBusy })
  const decoy = decoyHash()
  return {
    atOnce: bounds.runningMax,
    hash: (password, assertWorthIt) =>
      queued(async () => {
        await assertWorthIt?.()
        return hash(password, PARAMETERS)
      }, 'new passwords'),
    check: (storedHash, password) =>
      queued(async () => {
        const isRight = (await verify(storedHash ?? decoy, password)) && storedHash !== undefined
        return { isRight, isOutdated: isRight && isOutdated(storedHash) }
      }, 'checks'),
  }
}

/**
 * One for the process, in which checks and new passwords come in turn, with its part of what the machine's memory and
 * cores bear: a second queue beside it would defeat it.
 */
export const passwordHasher = createPasswordHasher({
  // libuv's own variable: how many threads there are to hash on.
  runningMax: hashesAtOnce(availableParallelism(), Number(process.env.UV_THREADPOOL_SIZE) || undefined),
  waitingMax: 500,
  waitMsMax: 10_000,
})
