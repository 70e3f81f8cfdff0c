import { processLimit, sharedLimit } from '#server/platform/limits/limits.ts'

export const CLAIMS_PER_PLAYER = sharedLimit('recharge-claims', 10, 86_400)

/** Re-encoding pictures costs time, also for refused ones; they are limited apart from claims. */
export const PICTURES_PER_PLAYER = processLimit('claim-pictures', 30, 3_600)
