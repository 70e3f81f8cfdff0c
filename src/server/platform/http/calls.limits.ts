import type { Limit } from '../limits/limits.ts'

// What any call costs, whatever it asks for. Counted in the process: a look into the database per call would cost more
// than most calls do.
export const CALLS_PER_ADDRESS: Limit = {
  name: 'calls-address',
  points: 1_200,
  seconds: 60,
  kept: 'process',
}
export const CALLS_PER_SESSION: Limit = {
  name: 'calls-session',
  points: 1_200,
  seconds: 60,
  kept: 'process',
}
