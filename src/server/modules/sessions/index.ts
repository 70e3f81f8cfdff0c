export type { SessionHooks } from './hooks.service.ts'
export { registerSessions } from './sessions.routes.ts'
export { createIdentify } from './identity.service.ts'
export { startSessionJobs } from './sessions.jobs.ts'
