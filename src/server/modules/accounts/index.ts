export {
  assertFree,
  assertNeverErased,
  createAccount,
  assertNewPasswordFit,
  assertPasswordFit,
  findCredentials,
  describeCurrentUser,
  grantRole,
  listOperators,
  listStaff,
  revokeRole,
  type StaffMember,
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
  findPerson,
  personalAccount,
} from './accounts.service.ts'
export {
  findContactsByName,
  lockContacts,
  mailPlayer,
  findVerifiedPhone,
  getContacts,
  setPhoneProved,
} from './contacts.service.ts'
export { maskEmail, maskName, maskPhone, isSameEmail } from './contacts.rules.ts'
export { usernameKey, isLongPassword } from './accounts.rules.ts'
export { passwordHasher, type Hashing } from './password-hasher.ts'
export { acceptInvite, inviteProposals, roleProposals, whyOnePerson, grantersOf } from './staff.service.ts'
export { registerStaff } from './staff.operator.ts'
export { registerAccounts } from './accounts.routes.ts'
