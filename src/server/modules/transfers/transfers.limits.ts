import type { Limit } from '#server/platform/limits/limits.ts'

/** It succeeds once; what else is asked is refused, and may not be asked without end. */
export const ACTIVATIONS_PER_PLAYER: Limit = {
  name: 'activations',
  points: 600,
  seconds: 60,
  kept: 'database',
}
