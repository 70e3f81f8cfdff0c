export {
  startClaimJobs,
  listClaims,
  claims,
  toClaim,
  markClaimAnswered,
  personalClaims,
  comparableReference,
} from './recharge-claims.service.ts'
export { registerRechargeClaims } from './recharge-claims.routes.ts'
