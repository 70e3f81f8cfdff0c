import { sharedLimit } from '#server/platform/limits/limits.ts'

/** Tries per client address. Wide, since carriers put thousands of players behind one; a phone has its own count. */
export const TRIES_PER_ADDRESS = sharedLimit('otp address', 300, 3_600)
