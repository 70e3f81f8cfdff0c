import { sharedLimit } from '#server/platform/limits/limits.ts'

/** Tries per client address. Wide, since carriers put thousands of players behind one; a phone has its own count. */
export const TRIES_PER_ADDRESS = sharedLimit('otp address', 300, 3_600)

/** Wrong tries at living codes of one phone, by clients that the phone's account does not know: one short of killing a code. */
export const WRONG_TRIES_PER_ADDRESS_AND_PHONE = sharedLimit('otp address phone', 4, 86_400)
/** Of the 15 a day for unknown devices. */
export const WRONG_TRIES_PER_NETWORK_AND_PHONE = sharedLimit('otp network phone', 6, 86_400)
