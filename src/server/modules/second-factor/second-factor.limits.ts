import { sharedLimit, type Limit } from '#server/platform/limits/limits.ts'

/**
 * Wrong codes of one account. A right one is given back. Anyone who uses these up knows the password already: its owner
 * stops them by setting another, which asks for no code while they are signed in.
 */
export const WRONG_CODES: readonly Limit[] = [
  sharedLimit('second-factor', 5, 300),
  sharedLimit('second-factor-day', 20, 86_400),
]

export const SETUPS = sharedLimit('second-factor-setup', 20, 3_600)
