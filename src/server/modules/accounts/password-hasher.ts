import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify, type Algorithm } from '@node-rs/argon2'
import { oneForm } from '#contract/fields.ts'
import { secretForms } from '#server/platform/values/secret-forms.ts'
import { boundedQueue } from '#server/platform/process/bounded-queue.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { hasherBusy } from './accounts.errors.ts'
import { hashesAtOnce, importHashesAtOnce } from './accounts.rules.ts'
import { formOf, md5Of, OF_MD5, type ForeignPassword } from './stored-passwords.ts'

/** argon2id; its enum cannot be imported where types are only erased. */
const ARGON2ID: Algorithm.Argon2id = 2
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

type PasswordCheck = { isRight: boolean; isOutdated: boolean }

export type Hashing = {
  /** Of its one form, whichever way it was typed. */
  hash(password: string): Promise<string>
  /**
   * Tries the forms in which the same password may have been stored: few, and one where it has no marks. Without a stored hash
   * the work is done all the same, so that an unknown name takes as long as a known one.
   */
  check(storedHash: string | undefined, password: string): Promise<PasswordCheck>
}

type PasswordHasher = {
  /**
   * Runs `work` when the turn of this client address has come (null: of the portal itself). Addresses are served in
   * turn, so one that requests a thousand hashes holds up nobody else. Queries that belong to a hash are made
   * in `work`, after the wait. `work` must not call `inLine` again. Refuses with RATE_LIMITED who would wait too
   * long because of their own address, and with UNAVAILABLE when many addresses do.
   */
  inLine<Result>(address: string | null, work: (hashing: Hashing) => Promise<Result>): Promise<Result>
}

/** `hashesMax` at the same time; one process of the machine has its part of them, of places and of those who wait. */
type Bounds = { hashesMax: number; waitingMax: number; waitMsMax: number }

/**
 * Beside those who hash, so many query the database before or after it, so that the hashing threads are busy. Hundreds at once
 * would take every connection from everybody else.
 */
const BESIDE_HASHES = 2

/** A hash without a password; checking against it takes as long as a real check. */
function decoyHash(): string {
  const unpadded = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${unpadded(16)}$${unpadded(32)}`
}

/** A password that was right in another form than the one that is stored today is outdated: a login replaces its hash. */
async function checkForms(storedHash: string, password: string): Promise<PasswordCheck> {
  for (const [at, form] of secretForms(password).entries()) {
    const { isRight, isOutdated } = await checkAgainst(storedHash, form)
    if (isRight) return { isRight, isOutdated: isOutdated || at > 0 }
  }
  return { isRight: false, isOutdated: false }
}

/** The forms that accounts of an older site come with are right, and outdated: a login replaces them. */
async function checkAgainst(storedHash: string, password: string): Promise<PasswordCheck> {
  const form = formOf(storedHash)
  if (form === 'bcrypt') {
    // Loaded by the first of them: most portals have none.
    const bcrypt = await import('@node-rs/bcrypt')
    const isRight = await bcrypt.verify(password, storedHash)
    return { isRight, isOutdated: isRight }
  }
  if (form === 'argon2id-of-md5') {
    const isRight = await verify(storedHash.slice(OF_MD5.length), md5Of(password))
    return { isRight, isOutdated: isRight }
  }
  const isRight = await verify(storedHash, password)
  return { isRight, isOutdated: isRight && isOutdated(storedHash) }
}

function isOutdated(storedHash: string): boolean {
  const used = parseOptions(storedHash)
  return (['algorithm', 'memoryCost', 'timeCost', 'parallelism'] as const).some(
    (name) => used[name] !== PARAMETERS[name],
  )
}

export function createPasswordHasher({ hashesMax, waitingMax, waitMsMax }: Bounds): PasswordHasher {
  const placesMax = hashesMax + BESIDE_HASHES
  const waiting = { waitMsMax, refusal: hasherBusy }
  const inTurn = boundedQueue({ runningMax: placesMax, waitingMax, ...waiting })
  // As many as have a place come here, so nobody waits for long.
  const atOnce = boundedQueue({ runningMax: hashesMax, waitingMax: placesMax, ...waiting })
  const decoy = decoyHash()
  const hashing: Hashing = {
    hash: (password) => atOnce(() => hash(oneForm(password), PARAMETERS)),
    check: (storedHash, password) =>
      atOnce(async () => {
        if (storedHash !== undefined) return checkForms(storedHash, password)
        for (const form of secretForms(password)) await verify(decoy, form)
        return { isRight: false, isOutdated: false }
      }),
  }
  return {
    inLine: (address, work) => inTurn(() => work(hashing), address === null ? 'portal' : clientKey(address)),
  }
}

/** libuv's own variable: how many threads there are to hash on. */
const THREADS = Number(process.env.UV_THREADPOOL_SIZE) || undefined

/**
 * One for the process, for every password that is checked or set, with its part of what the machine's memory and cores
 * bear: a second queue beside it would defeat it.
 */
export const passwordHasher = createPasswordHasher({
  hashesMax: hashesAtOnce(availableParallelism(), THREADS),
  waitingMax: 1_000,
  waitMsMax: 10_000,
})

/**
 * What is stored for passwords of an older site, in their order. Only for the import, a program of its own in which nobody
 * waits to sign in. Never all of them at once: a connection to the database would wait behind them until it is given up.
 */
export async function hashForeignPasswords(all: readonly ForeignPassword[]): Promise<string[]> {
  const stored: string[] = []
  const waiting = all.entries()
  const work = async () => {
    for (const [at, foreign] of waiting) stored[at] = await hashForeign(foreign)
  }
  await Promise.all(Array.from({ length: importHashesAtOnce(availableParallelism(), THREADS) }, work))
  return stored
}

async function hashForeign(foreign: ForeignPassword): Promise<string> {
  if (foreign.form === 'bcrypt') return foreign.hash
  if (foreign.form === 'md5') return OF_MD5 + (await hash(foreign.md5, PARAMETERS))
  return hash(oneForm(foreign.password), PARAMETERS)
}
