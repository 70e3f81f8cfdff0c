export { assertFree, createAccount } from './registration.service.ts'
export {
  assertNewPasswordFit,
  assertPasswordFit,
  findCredentials,
  getCredentialsOf,
} from './credentials.service.ts'
export { findContactsByName, getContacts, lockContacts } from './contacts.service.ts'
export { isSameEmail } from './contacts.rules.ts'
export { setNewPasswordHash, setPasswordHash, type Credentials } from './credentials.queries.ts'
export { usernameKey } from './usernames.rules.ts'
export { isLongPassword } from './password.rules.ts'
export { passwordHasher } from './password-hasher.ts'
export {
  findUsername,
  getCurrentUser,
  grantRole,
  listOperators,
  listStaff,
  revokeRole,
  type StaffMember,
} from './accounts.service.ts'
export { registerAccounts } from './accounts.routes.ts'
export { findVerifiedAddress, holdsRole, updateBan } from './accounts.queries.ts'
export { findVerifiedPhone, setPhoneProved } from './contacts.queries.ts'
