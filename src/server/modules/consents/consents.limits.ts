import { sharedLimit } from '#server/platform/limits/limits.ts'

/** Each is a row that stays for good; nobody changes their mind oftener. */
export const CONSENTS_PER_PLAYER = sharedLimit('consents player', 30, 86_400)
