export { registerConsents } from './consents.routes.ts'
export { recordRegistration } from './consents.service.ts'
export { readConsentState } from './consents.queries.ts'
export { personalConsents } from './personal.queries.ts'
