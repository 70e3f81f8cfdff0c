export { registerClientErrors } from './client-errors.routes.ts'
export { startClientErrorJobs } from './client-errors.service.ts'
