export { registerConsents } from './consents.routes.ts'
export { recordRegistration, consentState, personalConsents } from './consents.service.ts'
