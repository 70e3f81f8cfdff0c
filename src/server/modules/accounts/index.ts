export { assertFree, assertNeverErased, createAccount } from './registration.service.ts'
export { assertNewPasswordFit, assertPasswordFit, findCredentials } from './credentials.service.ts'
export { findContactsByName, lockContacts, mailPlayer } from './contacts.service.ts'
export { maskEmail, maskName, maskPhone, isSameEmail } from './contacts.rules.ts'
export {
  getCredentialsOf,
  setNewPasswordHash,
  setPasswordHash,
  type Credentials,
  currentUser,
  findUsername,
  findVerifiedAddress,
  holdsRole,
  type CurrentUserRow,
  findSignInBan,
  lockBans,
  setBan,
  type StoredBans,
} from './accounts.queries.ts'
export { usernameKey } from './usernames.rules.ts'
export { isLongPassword } from './password.rules.ts'
export { passwordHasher, type Hashing } from './password-hasher.ts'
export {
  describeCurrentUser,
  grantRole,
  listOperators,
  listStaff,
  revokeRole,
  type StaffMember,
} from './accounts.service.ts'
export { acceptInvite, inviteProposals } from './staff-invites.service.ts'
export { roleProposals, whyOnePerson } from './staff.service.ts'
export { grantersOf } from './staff.queries.ts'
export { registerStaff } from './staff.operator.ts'
export { registerAccounts } from './accounts.routes.ts'
export { findVerifiedPhone, getContacts, setPhoneProved } from './contacts.queries.ts'
export { findPerson, personalAccount } from './personal.queries.ts'
