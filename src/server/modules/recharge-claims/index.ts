export {
  startClaimJobs,
  listClaims,
  claims,
  toClaim,
  updateAnswered,
  personalClaims,
  comparableReference,
} from './recharge-claims.service.ts'
export { registerRechargeClaims } from './recharge-claims.routes.ts'
