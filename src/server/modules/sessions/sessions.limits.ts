import type { Limit } from '#server/platform/limits/limits.ts'

/** Every well-formed try counts, since a refused one tells whether a name or phone is taken. */
export const REGISTRATIONS_PER_ADDRESS: Limit = {
  name: 'registrations',
  points: 30,
  seconds: 3_600,
  kept: 'database',
}

// Wrong logins: those that turn out right are given back.
export const LOGINS_PER_ACCOUNT_AND_ADDRESS: Limit = {
  name: 'login-pair',
  points: 10,
  seconds: 300,
  kept: 'database',
}
/** Over all addresses. */
export const LOGINS_PER_ACCOUNT: Limit = {
  name: 'login-account',
  points: 50,
  seconds: 3_600,
  kept: 'database',
}
/** Over all accounts: carriers put thousands of players behind one address. */
export const LOGINS_PER_ADDRESS: Limit = {
  name: 'login-address',
  points: 200,
  seconds: 600,
  kept: 'database',
}
/** A device the account knows has this for itself, whatever goes on elsewhere. */
export const LOGINS_PER_KNOWN_DEVICE: Limit = {
  name: 'login-device',
  points: 10,
  seconds: 300,
  kept: 'database',
}

// These refuse nobody: at each multiple the log raises an alarm.
export const WRONG_LOGINS_OF_ONE_ADDRESS: Limit = {
  name: 'login-alarm-address',
  points: 100,
  seconds: 600,
  kept: 'database',
}
export const WRONG_LOGINS_OF_ALL: Limit = {
  name: 'login-alarm-all',
  points: 500,
  seconds: 600,
  kept: 'database',
}
