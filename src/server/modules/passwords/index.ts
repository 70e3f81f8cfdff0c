export { registerChangePassword } from './change-password.routes.ts'
export { registerPasswordResets } from './resets.routes.ts'
export { startPasswordJobs } from './resets.jobs.ts'
