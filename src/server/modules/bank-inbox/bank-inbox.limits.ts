import { processLimit, sharedLimit } from '#server/platform/limits/limits.ts'

/** Far above what a person does, far below what a script with a stolen session would. */
export const ACTS_PER_OPERATOR = sharedLimit('bank-transfer-acts', 120, 60)

/**
 * Bad signatures at one provider's door. It refuses nothing beyond what is refused anyway: what comes after these is not
 * written down each, so that nobody fills the log.
 */
export const BAD_SIGNATURES_LOGGED = processLimit('bad-signatures-logged', 60, 60)
