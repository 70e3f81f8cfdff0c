export { startClaimJobs } from './recharge-claims.jobs.ts'
export { registerRechargeClaims } from './recharge-claims.routes.ts'
export { registerOperatorClaims } from './recharge-claims.operator.ts'
export { findOpenClaims, settleClaim } from './answers.service.ts'
