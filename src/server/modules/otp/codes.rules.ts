/** A code by SMS must be verified this soon after its making; any code serves no act after the longer time. */
export const VERIFY_MINUTES_MAX = 5
export const CODE_AGE_MINUTES_MAX = 10
/** The wrong try that kills a code. */
export const WRONG_TRIES_MAX = 5
