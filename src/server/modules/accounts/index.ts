export {
  assertMayTrade,
  assertNotBanned,
  findTrader,
  findTraderByUsername,
  isBanned,
  lockTrader,
  lockTraders,
  type Trader,
} from './trader.service.ts'
export { assertFree, createAccount } from './registration.service.ts'
export {
  assertNewPasswordFit,
  assertPasswordFit,
  findCredentials,
  setNewPasswordHash,
  setPasswordHash,
} from './credentials.service.ts'
export { findContactsByName, getContacts, lockContacts, setPhoneProved } from './contacts.service.ts'
export { isSameEmail } from './contacts.rules.ts'
export type { Credentials } from './credentials.queries.ts'
export { passwordHasher } from './password-hasher.ts'
export { banMessage } from './accounts.errors.ts'
export { banPlayer, getCurrentUser, grantRole, revokeRole } from './accounts.service.ts'
export { registerAccounts } from './accounts.routes.ts'
