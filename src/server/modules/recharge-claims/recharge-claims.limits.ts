import { processLimit, sharedLimit } from '#server/platform/limits/limits.ts'

export const CLAIMS_PER_PLAYER = sharedLimit('recharge-claims', 10, 86_400)

/** Pictures cost time to draw anew, also those that are refused; players who try several still have their claims. */
export const PICTURES_PER_PLAYER = processLimit('claim-pictures', 30, 3_600)
