export { type SessionHooks, openSession } from './session-opening.service.ts'
export { signInBanned } from './sessions.errors.ts'
export {
  readUserForOperator,
  startSessionJobs,
  listSessionsOf,
  listSignInsOf,
  endConsoleSessionsOf,
  endSessionsOf,
  markSteppedUp,
  personalSessions,
} from './sessions.service.ts'
export { registerSessions } from './sessions.routes.ts'
export { createIdentify, isLiveSession } from './identity.service.ts'
export { isDeviceOfPhone } from './sign-ins.service.ts'
export { describeDevice, describePlace } from './sessions.rules.ts'
export { callerOf, giveDeviceCookie, type Caller } from './caller.ts'
