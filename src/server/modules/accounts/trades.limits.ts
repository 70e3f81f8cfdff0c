import type { Limit } from '#server/platform/limits/limits.ts'

/** Transfers, exchanges and gifts of one player, together. */
export const TRADES_PER_PLAYER: Limit = { name: 'trades', points: 600, seconds: 60, kept: 'database' }
