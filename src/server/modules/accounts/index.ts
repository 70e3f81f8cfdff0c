export {
  assertMayTrade,
  assertNotBanned,
  findTrader,
  findTraderByUsername,
  findVerifiedPhone,
  isBanned,
  lockTrader,
  lockTraders,
  type Trader,
} from './trader.service.ts'
export { assertFree, createAccount } from './registration.service.ts'
export {
  assertPasswordFit,
  findCredentials,
  setNewPasswordHash,
  setPasswordHash,
} from './credentials.service.ts'
export type { Credentials } from './credentials.queries.ts'
export { usernameKey } from './usernames.rules.ts'
export { TRADES_PER_PLAYER } from './trades.limits.ts'
export { passwordHasher } from './password-hasher.ts'
export { banMessage } from './accounts.errors.ts'
export { banPlayer, getCurrentUser, grantRole, revokeRole } from './accounts.service.ts'
export { registerAccounts } from './accounts.routes.ts'
