export { startRechargeJobs } from './recharge.jobs.ts'
export { registerRecharge } from './recharge.routes.ts'
export { sandboxPay } from './sandbox.service.ts'
