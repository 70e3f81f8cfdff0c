import type { Limit } from '#server/platform/limits/limits.ts'

/** Far above what a person does, far below what a script with a stolen session would. */
export const ACTS_PER_OPERATOR: Limit = {
  name: 'bank-transfer-acts',
  points: 120,
  seconds: 60,
  kept: 'database',
}
