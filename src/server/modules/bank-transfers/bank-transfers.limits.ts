import { sharedLimit } from '#server/platform/limits/limits.ts'

/** Far above what a person does, far below what a script with a stolen session would. */
export const ACTS_PER_OPERATOR = sharedLimit('bank-transfer-acts', 120, 60)
