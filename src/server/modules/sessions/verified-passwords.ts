import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { oneForm } from '#contract/fields.ts'

type Account = { id: string; passwordHash: string }

type Verified = { passwordHash: string; mac: Buffer; until: number }

const MINUTES = 10
const ACCOUNTS_MAX = 20_000

/**
 * Passwords that this process has just checked against a stored hash, so that a player who logs in to the game again
 * within minutes costs no second hash. Under a key that never leaves the process; the hash they were checked against is
 * part of each, so that a new password counts at once.
 *
 * Nobody may guess here what the limits of logins keep them from guessing: the first wrong password of an account
 * removes its entry.
 */
export class VerifiedPasswords {
  readonly #key = randomBytes(32)
  readonly #byAccount = new Map<string, Verified>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  remember({ id, passwordHash }: Account, password: string): void {
    this.#byAccount.delete(id)
    const [oldest] = this.#byAccount.keys()
    if (this.#byAccount.size >= ACCOUNTS_MAX && oldest !== undefined) this.#byAccount.delete(oldest)
    const until = this.#now() + MINUTES * 60_000
    this.#byAccount.set(id, { passwordHash, mac: this.#macOf(id, password), until })
  }

  /** Whether this is the password that was checked for the account, whose stored hash is still the same. */
  has({ id, passwordHash }: Account, password: string): boolean {
    const verified = this.#byAccount.get(id)
    if (verified === undefined) return false
    const isRight =
      timingSafeEqual(verified.mac, this.#macOf(id, password)) &&
      verified.passwordHash === passwordHash &&
      this.#now() < verified.until
    if (!isRight) this.#byAccount.delete(id)
    return isRight
  }

  #macOf(id: string, password: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${id}:${oneForm(password)}`)
      .digest()
  }
}
