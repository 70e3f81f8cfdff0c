import { sharedLimit } from '#server/platform/limits/limits.ts'

/** Transfers, exchanges and gifts of one player, together. */
export const TRADES_PER_PLAYER = sharedLimit('trades', 600, 60)
