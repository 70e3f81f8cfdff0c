export { PUSH_SERVICES } from './push.rules.ts'
export { registerPush } from './push.routes.ts'
export { personalPush } from './push.service.ts'
export { startPushJobs } from './sending.service.ts'
