export { assertFree, assertNeverErased, createAccount } from './registration.service.ts'
export { assertNewPasswordFit, assertPasswordFit, findCredentials } from './credentials.service.ts'
export { findContactsByName, lockContacts } from './contacts.service.ts'
export { mailPlayer } from './player-mail.service.ts'
export { maskEmail, maskName, maskPhone } from './masking.rules.ts'
export { isSameEmail } from './contacts.rules.ts'
export {
  getCredentialsOf,
  setNewPasswordHash,
  setPasswordHash,
  type Credentials,
} from './credentials.queries.ts'
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
export { roleProposals } from './staff.service.ts'
export { grantersOf } from './one-person.queries.ts'
export { whyOnePerson } from './one-person.service.ts'
export { registerStaff } from './staff.operator.ts'
export { registerAccounts } from './accounts.routes.ts'
export {
  currentUser,
  findUsername,
  findVerifiedAddress,
  holdsRole,
  type CurrentUserRow,
} from './accounts.queries.ts'
export { findSignInBan, lockBans, setBan, type StoredBans } from './bans.queries.ts'
export { findVerifiedPhone, getContacts, setPhoneProved } from './contacts.queries.ts'
export { findPerson, personalAccount } from './personal.queries.ts'
