export {
  assertMayTrade,
  assertNotBanned,
  findNotifiedTrader,
  findTrader,
  findTraderByUsername,
  findVerifiedPhone,
  isBanned,
  lockTrader,
  lockTraders,
  type NotifiedTrader,
  type Trader,
} from './trader.service.ts'
export { assertFree, createAccount } from './registration.service.ts'
export {
  assertNewPasswordFit,
  assertPasswordFit,
  findCredentials,
  getCredentialsOf,
  setNewPasswordHash,
  setPasswordHash,
} from './credentials.service.ts'
export { findContactsByName, getContacts, lockContacts, setPhoneProved } from './contacts.service.ts'
export { isSameEmail } from './contacts.rules.ts'
export type { Credentials } from './credentials.queries.ts'
export { usernameKey } from './usernames.rules.ts'
export { TRADES_PER_PLAYER } from './trades.limits.ts'
export { isLongPassword } from './password.rules.ts'
export { passwordHasher } from './password-hasher.ts'
export { banMessage } from './accounts.errors.ts'
export {
  banPlayer,
  findUsername,
  findVerifiedAddress,
  getCurrentUser,
  grantRole,
  holdsRole,
  revokeRole,
} from './accounts.service.ts'
export { registerAccounts } from './accounts.routes.ts'
