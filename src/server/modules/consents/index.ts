export { registerConsents } from './consents.routes.ts'
export { recordRegistration } from './consents.service.ts'
export { consentState, type ConsentState } from './consents.queries.ts'
export { personalConsents } from './personal.queries.ts'
