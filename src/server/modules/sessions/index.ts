export type { SessionHooks } from './hooks.service.ts'
export { registerSessions } from './sessions.routes.ts'
export { createIdentify } from './identity.service.ts'
export { startSessionJobs } from './sessions.jobs.ts'
export { openSession } from './session-opening.service.ts'
export {
  endSessionsOf,
  forgetProofs,
  markProved,
  markSteppedUp,
  notePasswordLength,
} from './sessions.queries.ts'
export { isDeviceOfPhone } from './known-devices.service.ts'
export { newToken, tokenHashOf } from './token.ts'
export { callerOf, giveDeviceCookie, type Caller } from './caller.ts'
