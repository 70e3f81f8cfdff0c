import { processLimit, sharedLimit } from '#server/platform/limits/limits.ts'

export const ORDERS_PER_PLAYER = sharedLimit('recharge-orders', 30, 3_600)

/**
 * Bad signatures at one provider's door. It refuses nothing beyond what is refused anyway: what comes after these is not
 * written down each, so that nobody fills the log.
 */
export const BAD_SIGNATURES_LOGGED = processLimit('bad-signatures-logged', 60, 60)
