/** A code by SMS must be verified this soon after its making; any code serves no act after the longer time. */
export const VERIFY_MINUTES_MAX = 5
export const CODE_AGE_MINUTES_MAX = 10
/** The wrong try that kills a code. */
export const WRONG_TRIES_MAX = 5
/** Tries at living codes, right ones among them, in 24 hours: per phone, or per player's address. */
export const DAY_TRIES_MAX = 20
/** The part of a phone's that is open to anybody; the rest is reserved for the devices of the account that proved it. */
export const STRANGER_DAY_TRIES_MAX = 15

/**
 * Whom a code belongs to: a phone, in its canonical form, anyone who's it is; or an address as a given player's, so that
 * a code mailed for one account serves no other; or an account, to whose player the game shows the code.
 */
export type CodeTarget =
  | { channel: 'phone'; phone: string }
  | { channel: 'email'; userId: string; email: string }
  | { channel: 'game'; account: string }

/** In place of a player: a code that is mailed to a visitor serves no account. */
export const VISITOR = 'visitor'

/** A stored code: the newest of its target. */
export type StoredCode = {
  channel: CodeTarget['channel']
  codeHash: Buffer
  isVerified: boolean
  isSpent: boolean
  wrongTries: number
  ageSeconds: number
  /** Tries in the 24 hours that run, at this code and at those before it. */
  triesToday: number
}

/** What a code is tried for: to be verified, once it came by SMS, or to serve an act. */
export type CodeUse = 'verify' | 'act'

/** Whether a code can be met at all, if it is the right one. Only a code by SMS needs a verification of its own. */
export function isLiving(code: StoredCode, use: CodeUse, dayTriesMax: number): boolean {
  if (code.isSpent || code.wrongTries >= WRONG_TRIES_MAX || code.triesToday >= dayTriesMax) return false
  if (use === 'verify') return !code.isVerified && code.ageSeconds < VERIFY_MINUTES_MAX * 60
  return (code.channel !== 'phone' || code.isVerified) && code.ageSeconds < CODE_AGE_MINUTES_MAX * 60
}
