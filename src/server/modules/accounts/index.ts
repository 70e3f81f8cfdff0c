export {
  assertFree,
  assertNicknameFree,
  assertNeverErased,
  createAccount,
  assertNewPasswordFit,
  assertTakenByGame,
  assertPasswordFit,
  findCredentials,
  findGameAccount,
  findKeptOut,
  findNameOfStaff,
  listOperators,
  getCredentialsOf,
  setNewPasswordHash,
  renewPasswordHash,
  setPasswordHash,
  findCreatedAt,
  findUsername,
  findVerifiedAddress,
  invitationLink,
  findSignInBan,
  lockBans,
  setBan,
  findPerson,
  personalAccount,
} from './accounts.service.ts'
export {
  findRecentPermissions,
  grantRole,
  holdsRole,
  listStaff,
  mailStaff,
  mayEnterConsole,
  mayStopProposals,
  revokeRole,
  type StaffMember,
} from './roles.service.ts'
export {
  findContactsByName,
  lockContacts,
  mailPlayer,
  findVerifiedPhone,
  getContacts,
  setPhoneProved,
} from './contacts.service.ts'
export { replaceContacts } from './returned-contacts.service.ts'
export { hasProvedContact, maskEmail, maskName, maskPhone, isSameEmail } from './contacts.rules.ts'
export type { Contacts } from './contacts.rules.ts'
export {
  type Credentials,
  type GameAccount,
  isLongPassword,
  type StoredBans,
  usernameKey,
} from './accounts.rules.ts'
export { hashForeignPasswords, passwordHasher, type Hashing } from './password-hasher.ts'
export { readContactHint, storeContactHints } from './contact-hints.service.ts'
export { createMovedAccounts, faultsOfNames, type NameFault } from './moved-accounts.service.ts'
export {
  readForeignPassword,
  type ForeignForm,
  type ForeignPassword,
  type PasswordFault,
} from './stored-passwords.ts'
export { acceptInvite, inviteProposals, roleProposals, readTies, grantersOf } from './staff.service.ts'
export { registerAccounts, registerStaff } from './accounts.routes.ts'
export { usernameTaken } from './accounts.errors.ts'
