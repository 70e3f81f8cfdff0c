export { registerConsents } from './consents.routes.ts'
export { recordChoice, recordRegistration, consentState, personalConsents } from './consents.service.ts'
