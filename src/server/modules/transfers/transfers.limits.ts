import { sharedLimit } from '#server/platform/limits/limits.ts'

/** It succeeds once; what else is asked is refused, and may not be asked without end. */
export const ACTIVATIONS_PER_PLAYER = sharedLimit('activations', 600, 60)
