export type { SessionHooks } from './hooks.service.ts'
export { registerSessions, type SessionsDeps } from './sessions.routes.ts'
export { createIdentify } from './identity.service.ts'
export { startSessionJobs } from './sessions.jobs.ts'
