import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify, type Algorithm } from '@node-rs/argon2'
import { hasherBusy } from './accounts.errors.ts'

/** argon2id; its enum cannot be imported where types are only erased. */
const ARGON2ID: Algorithm.Argon2id = 2
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

export type PasswordCheck = { isRight: boolean; isOutdated: boolean }

export type PasswordHasher = {
  /** `assertWorthIt` is asked when the turn has come: what failed while it waited costs no hash. */
  hash(password: string, assertWorthIt?: () => Promise<void>): Promise<string>
  /** Without a stored hash the work is done all the same, so that an unknown name takes as long as a known one. */
  check(storedHash: string | undefined, password: string): Promise<PasswordCheck>
}

type Bounds = { runningMax: number; waitingMax: number; waitMsMax: number }

/** Runs `work` when a place is free. Whoever would be one too many in line, or waits too long, is refused. */
function boundedQueue({ runningMax, waitingMax, waitMsMax }: Bounds) {
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
        reject(hasherBusy())
      }, waitMsMax)
      waiting.add(enter)
    })

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < runningMax) running++
    else if (waiting.size < waitingMax) await place()
    else throw hasherBusy()
    try {
      return await work()
    } finally {
      running--
      const [next] = waiting
      next?.()
    }
  }
}

/** A hash nobody has a password for; checking against it costs what a real check costs. */
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
  const queued = boundedQueue(bounds)
  const decoy = decoyHash()
  return {
    hash: (password, assertWorthIt) =>
      queued(async () => {
        await assertWorthIt?.()
        return hash(password, PARAMETERS)
      }),
    check: (storedHash, password) =>
      queued(async () => {
        const isRight = (await verify(storedHash ?? decoy, password)) && storedHash !== undefined
        return { isRight, isOutdated: isRight && isOutdated(storedHash) }
      }),
  }
}

/**
 * One for the process: the bound is on the machine's memory and cores, so a second queue beside it would defeat it.
 * One core is left to everything else.
 */
export const passwordHasher = createPasswordHasher({
  runningMax: Math.max(1, availableParallelism() - 1),
  waitingMax: 100,
  waitMsMax: 5_000,
})
