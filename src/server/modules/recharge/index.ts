export { startRechargeJobs } from './recharge.jobs.ts'
export { registerRecharge } from './recharge.routes.ts'
export { sandboxPay, type SandboxDeps, type SandboxRequest } from './sandbox.service.ts'
export type { RechargeDeps, SepayKeys } from './recharge-deps.ts'
