export { startClaimJobs } from './recharge-claims.jobs.ts'
export { claims, toClaim, updateAnswered } from './recharge-claims.queries.ts'
export { registerRechargeClaims } from './recharge-claims.routes.ts'
export { comparableReference } from './recharge-claims.rules.ts'
