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
export { isLongPassword } from './password.rules.ts'
export { passwordHasher } from './password-hasher.ts'
export {
  findUsername,
  findVerifiedAddress,
  getCurrentUser,
  grantRole,
  holdsRole,
  listOperators,
  listStaff,
  revokeRole,
  type StaffMember,
} from './accounts.service.ts'
export { registerAccounts } from './accounts.routes.ts'
export { updateBan } from './accounts.queries.ts'
export { findVerifiedPhone } from './contacts.queries.ts'
