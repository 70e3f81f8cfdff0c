import { sharedLimit } from '#server/platform/limits/limits.ts'

/** Transfers, exchanges and gifts of one player, together. */
export const TRADES_PER_PLAYER = sharedLimit('trades', 600, 60)

/** It succeeds once; what else is asked is refused, and may not be asked without end. */
export const ACTIVATIONS_PER_PLAYER = sharedLimit('activations', 600, 60)
