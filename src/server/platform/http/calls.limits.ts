import { machineLimit } from '../limits/limits.ts'

// Limits for calls of any kind. Counted in the process: a look into the database per call would cost more
// than most calls do.
export const CALLS_PER_ADDRESS = machineLimit('calls-address', 1_200, 60)
export const CALLS_PER_SESSION = machineLimit('calls-session', 1_200, 60)
