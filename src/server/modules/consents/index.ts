export { registerConsents } from './consents.routes.ts'
export {
  recordRankingConsent,
  recordRegistration,
  consentState,
  personalConsents,
} from './consents.service.ts'
