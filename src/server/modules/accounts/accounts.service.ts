import { readFileSync } from 'node:fs'
import { REFERRAL_NAME } from '#contract/constants.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { type GameLimits, lettersOf, nameFault, passwordLimitFault } from '#contract/game/limits.ts'
import { paths } from '#contract/pages.ts'
import { type BanScope, INVITED_COUNTED_MAX, type getInvitation } from '#contract/users.ts'
import { recordAccountChange } from '#server/modules/game-accounts/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { openWallet } from '#server/modules/wallet/index.ts'
import { cachedContent } from '#server/domain/content.ts'
import { findGameLimits } from '#server/modules/game-bridge/index.ts'
import type { Person, PersonalPart } from '#server/domain/personal-part.ts'
import { skeletonOf } from '#server/domain/name-skeleton.rules.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Tx, sqlState } from '#server/platform/db/transaction.ts'
import { invalidField, orNotFound } from '#server/platform/values/errors.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import {
  phoneTaken,
  staffName,
  unknownServer,
  usernameTaken,
  nicknameOfAccount,
  nicknameOfStaff,
} from './accounts.errors.ts'
import {
  countInvited,
  eraseAccount,
  exportAccount,
  lockBanRow,
  selectOperatorStates,
  type OperatorRow,
  nextUserId,
  findReferrerId,
  findTaken,
  isUsername,
  insertContacts,
  insertUser,
  selectCredentials,
  selectCredentialsOf,
  selectGameAccount,
  selectKeptOut,
  selectPerson,
  selectCreatedAt,
  selectServers,
  selectSignInBan,
  selectUsername,
  selectVerifiedAddress,
  isErasedName,
  updateBan,
  updatePasswordHash,
} from './accounts.queries.ts'
import {
  type Credentials,
  type GameAccount,
  isStaffName,
  posesAsStaff,
  operatorPasswordFault,
  passwordFault,
  type StoredBan,
  type StoredBans,
  usernameKey,
} from './accounts.rules.ts'
import { exportContactHint } from './contact-hints.queries.ts'
import { selectHeldRoles, selectOperators } from './roles.queries.ts'
import { holdsRole } from './roles.service.ts'

export const listServers = cachedContent('servers', selectServers)

/** When the accounts of these ids were made, as far as there are any. */
export const findCreatedAt = async (db: Db, ids: readonly string[]): Promise<Map<string, Date>> =>
  new Map(
    ids.length === 0 ? [] : (await selectCreatedAt(db, ids)).map(({ id, created_at }) => [id, created_at]),
  )

/** Throws NOT_FOUND. */
export async function findUsername(db: Db | Tx, userId: string): Promise<string> {
  return orNotFound(await selectUsername(db, userId))
}

/** The verified address of a player, for mail. An unverified one may belong to somebody else. */
export async function findVerifiedAddress(
  db: Db | Tx,
  userId: string,
): Promise<{ username: string; email: string } | undefined> {
  const { username, email } = (await selectVerifiedAddress(db, userId)) ?? {}
  return username && email ? { username, email } : undefined
}

/** Locks an account, as everything that opens a session for it does, and reads its bans. Throws NOT_FOUND. */
export async function lockBans(tx: Tx, userId: string): Promise<StoredBans> {
  const row = orNotFound(await lockBanRow(tx, userId))
  return {
    'sign-in': { until: row.sign_in_ban_until, reason: row.sign_in_ban_reason },
    trading: { until: row.ban_until, reason: row.ban_reason },
  }
}

/** False when there is no such account. */
export async function setBan(tx: Tx, ban: { userId: string; scope: BanScope } & StoredBan): Promise<boolean> {
  if (!(await updateBan(tx, ban))) return false
  // Trading is the portal's own; signing in is the game's too.
  if (ban.scope === 'sign-in') await recordAccountChange(tx, ban.userId)
  return true
}

/** The ban that prevents a player from signing in at the moment. */
export const findSignInBan = (db: Db | Tx, userId: string) => selectSignInBan(db, userId)

const OPERATORS_LISTED_MAX = 200

/** Who holds a role, for anyone who runs the installation. */
export async function listOperators(db: Db): Promise<OperatorRow[]> {
  return selectOperatorStates(db, OPERATORS_LISTED_MAX)
}

/** The link by which a player invites others. */
export const invitationLink = async (
  { db, publicUrl }: { db: Db; publicUrl: string },
  userId: string,
): Promise<string> => `${publicUrl}${paths.register}?${REFERRAL_NAME}=${await findUsername(db, userId)}`

/** With how many have registered by it. */
export async function invitationOf(
  { db, publicUrl }: { db: Db; publicUrl: string },
  userId: string,
): Promise<AnswerOf<typeof getInvitation>> {
  return {
    link: await invitationLink({ db, publicUrl }, userId),
    invited: await countInvited(db, { userId, limit: INVITED_COUNTED_MAX }),
  }
}

export type NewAccount = {
  username: string
  /** Canonical. */
  phone: string
  passwordHash: string
  serverId: string
  email?: string | null
  /** A username or user id, as in the link of the player who invited. */
  referral?: string | null
}

/** The first of these names, which others read, that poses as staff, as the portal, or as one of its operators. */
export async function findNameOfStaff(tx: Db | Tx, names: readonly string[]): Promise<string | undefined> {
  const { siteName } = await readSettings(tx)
  const operators = new Set((await selectOperators(tx)).map(({ username }) => skeletonOf(username)))
  return names.find(
    (name) =>
      posesAsStaff(name, siteName) ||
      [name, ...name.split(' ')].some((part) => operators.has(skeletonOf(part))),
  )
}

/** Refuses a nickname that poses as staff or is the name of an account, as everybody reads it. */
export async function assertNicknameFree(
  tx: Tx,
  { nickname, key }: { nickname: string; key: string },
): Promise<void> {
  if ((await findNameOfStaff(tx, [nickname])) !== undefined) throw nicknameOfStaff()
  if (await isUsername(tx, key)) throw nicknameOfAccount()
}

export type Account = { id: string; username: string; serverId: string; walletId: string; createdAt: Date }

/** Refuses a new account that could not enter the game. */
export async function assertTakenByGame(
  db: Db,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const limits = await findGameLimits(db)
  const faults = { username: nameFault(limits, username), password: passwordLimitFault(limits, password) }
  for (const [field, fault] of Object.entries(faults)) if (fault !== null) throw invalidField(field, fault)
}

/** How many accounts the game would not take by their names, and the first of them. */
export const findKeptOut = (db: Db, limits: GameLimits): Promise<{ count: number; first: string | null }> =>
  selectKeptOut(db, {
    least: limits.name?.least ?? 1,
    most: limits.name?.most ?? 64,
    letters: lettersOf(limits),
  })

/** Refuses what cannot succeed before a password is hashed for it. The unique indexes still decide at the insert. */
export async function assertFree(
  { db, vault }: { db: Db; vault: Vault },
  account: { username: string; phone: string },
): Promise<void> {
  if (isStaffName(account.username, (await readSettings(db)).siteName)) throw staffName()
  // An operator's own name is refused as any name that is taken, below.
  const operators = (await selectOperators(db)).map(({ username }) => username)
  const isOwn = (name: string) => name.toLowerCase() === account.username.toLowerCase()
  if (operators.some((name) => !isOwn(name) && skeletonOf(name) === skeletonOf(account.username)))
    throw staffName()
  const taken = await findTaken(db, {
    usernameKey: account.username.toLowerCase(),
    phone: account.phone,
  })
  if (taken.isUsernameTaken) throw usernameTaken()
  await assertNeverErased({ db, vault }, account.username)
  if (taken.isPhoneTaken) throw phoneTaken()
}

/** Who registered the name of an erased account again would have its characters in the game. */
export async function assertNeverErased(deps: { db: Db; vault: Vault }, username: string): Promise<void> {
  if (await isErasedName(deps, username)) throw usernameTaken()
}

/** Makes a player with an empty wallet. Throws USERNAME_TAKEN, PHONE_TAKEN, or a field refusal for an unknown server. */
export async function createAccount(tx: Tx, account: NewAccount): Promise<Account> {
  const { username, serverId } = account
  // The database refuses such a text with an error of its own kind; to the player it is one more unknown server.
  if (!/^[0-9A-Za-z_-]{1,16}$/.test(serverId)) throw unknownServer()
  const referrerId = await findReferrer(tx, account.referral ?? null)
  const id = await nextUserId(tx)
  const walletId = await openWallet(tx, id)
  try {
    const createdAt = await insertUser(tx, {
      id,
      username,
      password_hash: account.passwordHash,
      server_id: serverId,
      referrer_id: referrerId,
      wallet_account_id: walletId,
    })
    await insertContacts(tx, { user_id: id, phone: account.phone, email: account.email || null })
    return { id, username, serverId, walletId, createdAt }
  } catch (error) {
    throw takenRefusal(error) ?? error
  }
}

async function findReferrer(tx: Tx, referral: string | null): Promise<string | null> {
  if (referral === null) return null
  // A number may be a name as well as an id; the name, which its owner chose, comes first.
  return findReferrerId(tx, {
    usernameKey: usernameKey(referral),
    userId: /^[1-9]\d{0,17}$/.test(referral) ? referral : null,
  })
}

function takenRefusal(error: unknown): Error | null {
  const state = sqlState(error)
  if (state !== '23505' && state !== '23503') return null
  const { constraint } = error as { constraint?: string }
  if (constraint === 'users_username') return usernameTaken()
  if (constraint === 'user_contacts_phone') return phoneTaken()
  if (constraint === 'users_server_id_fkey') return unknownServer()
  return null
}

const commonPasswords: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean),
)

/** Throws a field refusal for a new password that is the username or among the most common ones. */
export function assertPasswordFit(account: { username: string; password: string }): void {
  const fault = passwordFault(account, commonPasswords)
  if (fault !== null) throw invalidField('password', fault)
}

/** The same for an account that exists: an operator's has to be longer. */
export async function assertNewPasswordFit(
  db: Db,
  { userId, username, password }: { userId: string; username: string; password: string },
): Promise<void> {
  assertPasswordFit({ username, password })
  // An operator's password protects money: what the game takes does not shorten it.
  const fault = (await holdsRole(db, userId))
    ? operatorPasswordFault(password)
    : passwordLimitFault(await findGameLimits(db), password)
  if (fault !== null) throw invalidField('password', fault)
}

/** Ignores the case of the name. */
export async function findCredentials(db: Db, username: string): Promise<Credentials | undefined> {
  const key = usernameKey(username)
  return key === null ? undefined : selectCredentials(db, key)
}

/** Ignores the case of the name. */
export async function findGameAccount(db: Db, username: string): Promise<GameAccount | undefined> {
  const key = usernameKey(username)
  return key === null ? undefined : selectGameAccount(db, key)
}

/** The credentials of a player who is signed in. */
export async function getCredentialsOf(db: Db, userId: string): Promise<Credentials> {
  return orNotFound(await selectCredentialsOf(db, userId))
}

type ReplacedHash = { userId: string; from: string; to: string }

/** Sets a new password's hash in place of the one the caller knows; false when that one has been replaced meanwhile. */
export async function setPasswordHash(tx: Tx, change: ReplacedHash): Promise<boolean> {
  if (!(await updatePasswordHash(tx, change))) return false
  await recordAccountChange(tx, change.userId, { isPasswordNew: true })
  return true
}

/** The same for another hash of the same password. */
export const renewPasswordHash = (db: Db, change: ReplacedHash): Promise<boolean> =>
  updatePasswordHash(db, change)

/**
 * Sets a new password's hash, whatever the old one was. Locks the account's row: anyone who is opening a session by the old
 * password is waited for. End the sessions in the same transaction, after this.
 */
export async function setNewPasswordHash(
  tx: Tx,
  { userId, hash }: { userId: string; hash: string },
): Promise<void> {
  await updatePasswordHash(tx, { userId, to: hash })
  await recordAccountChange(tx, userId, { isPasswordNew: true })
}

/** The account of a name with its contacts; undefined when nobody has it. An erased account is not found by any name. */
export async function findPerson(
  db: Db | Tx,
  username: string,
): Promise<Omit<Person, 'characters'> | undefined> {
  const key = usernameKey(username)
  return key === null ? undefined : selectPerson(db, key)
}

export const personalAccount: PersonalPart = {
  lists: { account: exportAccount, contact_hint: exportContactHint },
  erase: eraseAccount,
  // Also roles taken in the last days: their holders may still refuse what is proposed.
  open: { role: async (tx, { id }) => Object.values(await selectHeldRoles(tx, id)).flat().length },
}
