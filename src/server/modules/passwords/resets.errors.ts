import { Refusal } from '#server/platform/http/refusal.ts'

/** The same for every link that opens nothing: made up, used, too old, or replaced by a newer one. */
export const linkInvalid = () => new Refusal('TOKEN_INVALID')

/** The same for a wrong code, a name that does not exist and a phone that is not that name's. */
export const phoneResetRefused = () => new Refusal('OTP_INVALID')
