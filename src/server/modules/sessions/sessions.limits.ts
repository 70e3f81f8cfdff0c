import { sharedLimit } from '#server/platform/limits/limits.ts'

/** Every well-formed attempt counts, since a refused one reveals whether a name or phone is taken. */
export const REGISTRATIONS_PER_ADDRESS = sharedLimit('registrations', 30, 3_600)

// Wrong logins: those that turn out right are given back.
export const LOGINS_PER_ACCOUNT_AND_ADDRESS = sharedLimit('login-pair', 10, 300)
/** Over all addresses. */
export const LOGINS_PER_ACCOUNT = sharedLimit('login-account', 50, 3_600)
/** Over all accounts: carriers put thousands of players behind one address. */
export const LOGINS_PER_ADDRESS = sharedLimit('login-address', 200, 600)
/** A device the account knows has this for itself, whatever goes on elsewhere. */
export const LOGINS_PER_KNOWN_DEVICE = sharedLimit('login-device', 10, 300)

// These refuse no login: at each multiple the log raises an alarm.
export const WRONG_LOGINS_OF_ONE_ADDRESS = sharedLimit('login-alarm-address', 100, 600)
export const WRONG_LOGINS_OF_ALL = sharedLimit('login-alarm-all', 500, 600)
