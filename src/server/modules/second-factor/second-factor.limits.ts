import type { Limit } from '#server/platform/limits/limits.ts'

/**
 * Wrong codes of one account. A right one is given back. Whoever uses these up knows the password already: its owner
 * stops them by setting another, which asks for no code while they are signed in.
 */
export const WRONG_CODES: readonly Limit[] = [
  { name: 'second-factor', points: 5, seconds: 300, kept: 'database' },
  { name: 'second-factor-day', points: 20, seconds: 86_400, kept: 'database' },
]

export const SETUPS: Limit = { name: 'second-factor-setup', points: 20, seconds: 3_600, kept: 'database' }
