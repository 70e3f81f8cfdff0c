import { Refusal } from '#server/platform/http/refusal.ts'

/** The same for an unknown name and a wrong password: who has an account here is nobody's business. */
export const invalidCredentials = () => new Refusal('INVALID_CREDENTIALS')

export const unauthenticated = () => new Refusal('UNAUTHENTICATED')

/** More logins wait than can be served soon; the caller comes back in a moment. */
export const loginsBusy = () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 2 })
