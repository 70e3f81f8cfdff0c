export { registerConsents } from './consents.routes.ts'
export { recordRegistration, consentState, type ConsentState, personalConsents } from './consents.service.ts'
