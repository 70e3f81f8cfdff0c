/** A code by SMS must be verified this soon after its making; any code serves no act after the longer time. */
export const VERIFY_MINUTES_MAX = 5
export const CODE_AGE_MINUTES_MAX = 10
/** The wrong try that kills a code. */
export const WRONG_TRIES_MAX = 5
/** Tries per phone, or per player's address, in 24 hours, right ones and those at dead codes among them. */
export const DAY_TRIES_MAX = 20

/** A code as it is kept: the newest of its target. */
export type KeptCode = {
  channel: 'phone' | 'email'
  codeHash: Buffer
  isVerified: boolean
  isSpent: boolean
  wrongTries: number
  ageSeconds: number
  /** Tries in the 24 hours that run, at this code and at those before it. */
  triesToday: number
}

const isAlive = (code: KeptCode) =>
  !code.isSpent && code.wrongTries < WRONG_TRIES_MAX && code.triesToday < DAY_TRIES_MAX

/** Whether a code by SMS can still be verified, if it is the right one. */
export function isVerifiable(code: KeptCode): boolean {
  return isAlive(code) && !code.isVerified && code.ageSeconds < VERIFY_MINUTES_MAX * 60
}

/** Whether a code can still serve an act. One that came by e-mail needs no verification of its own. */
export function isSpendable(code: KeptCode): boolean {
  const isProven = code.channel === 'email' || code.isVerified
  return isAlive(code) && isProven && code.ageSeconds < CODE_AGE_MINUTES_MAX * 60
}
