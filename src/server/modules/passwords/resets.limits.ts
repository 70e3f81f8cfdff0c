import { sharedLimit } from '#server/platform/limits/limits.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/**
 * Requests for one name and address as they were typed, whether or not there is such an account. Both together: by the
 * address alone, anybody could keep its owner from asking.
 */
export const REQUESTS_PER_PAIR = [
  sharedLimit('reset request hour', 5, HOUR),
  sharedLimit('reset request day', 10, DAY),
]
/** Links that really go to one mailbox. */
export const LINKS_PER_EMAIL = [
  sharedLimit('reset link hour', 5, HOUR),
  sharedLimit('reset link day', 10, DAY),
]
/** Carriers put thousands of players behind one address. */
export const RESETS_PER_ADDRESS = [sharedLimit('reset address hour', 1_000, HOUR)]
/** Tries with one phone from one address; codes themselves die at the fifth wrong try, from wherever it comes. */
export const PHONE_RESETS_PER_ADDRESS = [sharedLimit('reset phone address hour', 60, HOUR)]
