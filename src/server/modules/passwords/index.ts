export { registerPasswordResets } from './resets.routes.ts'
export { startPasswordJobs } from './resets.jobs.ts'
