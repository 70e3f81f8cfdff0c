import type { listSessions as listSessionsCall, login, register } from '#contract/accounts/auth.ts'
import { DEFAULT_SERVER_ID } from '#contract/constants.ts'
import type { BodyOf, AnswerOf } from '#contract/endpoint.ts'
import { PERMISSIONS, permissionsOf, ROLES } from '#contract/operator/roles.ts'
import type { operatorSession } from '#contract/operator/session.ts'
import type { operatorUserActs } from '#contract/operator/users.ts'
import type { User } from '#contract/users.ts'
import {
  acceptInvite,
  assertFree,
  assertTakenByGame,
  assertPasswordFit,
  createAccount,
  findCredentials,
  findUsername,
  mayEnterConsole,
  isLongPassword,
  maskEmail,
  maskPhone,
  passwordHasher,
  usernameTaken,
  renewPasswordHash,
  type Credentials,
  type Hashing,
} from '#server/modules/accounts/index.ts'
import { recordRegistration } from '#server/modules/consents/index.ts'
import { checkSecondFactor } from '#server/modules/second-factor/index.ts'
import { banMessage, isBanned } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { notFound, Refusal } from '#server/platform/values/errors.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { count } from '#server/domain/metrics.ts'
import { tokenHashOf } from '#server/platform/values/crypto.ts'
import type { Caller } from './caller.ts'
import { noteFailedSignIn, toSignIn } from './sign-ins.service.ts'
import {
  callLoginHook,
  callRegisteredHook,
  openSession,
  type SessionHooks,
} from './session-opening.service.ts'
import {
  invalidCredentials,
  notAnOperator,
  operatorNotProved,
  operatorPasswordShort,
  REGISTRATIONS_PER_ADDRESS,
  unauthenticated,
} from './sessions.errors.ts'
import {
  type CurrentUserRow,
  deleteSession,
  deleteSessions,
  exportSessions,
  findCurrentUser,
  findVerified,
  listLiveSessions,
  removeExpiredSessions,
  lockHolder,
  touchSession,
  type SessionKind,
  updateStepUp,
} from './sessions.queries.ts'
import { describeDevice, describePlace } from './sessions.rules.ts'
import {
  eraseSignIns,
  exportKnownDevices,
  exportSignIns,
  forgetOldDevices,
  removeOldSignIns,
  selectSignInsBefore,
} from './sign-ins.queries.ts'

export type SessionsDeps = PlatformDeps &
  SessionHooks & {
    publicUrl: string
    /** Whether a player of the game has this name, who alone may have it. Throws UNAVAILABLE while that is not known. */
    isNameInGame(username: string): Promise<boolean>
    /** The secrets that sign the game's calls, the new one first; none with the embedded game. */
    gameSecrets: readonly string[]
  }

/** Makes the account and its first session in one transaction; the slow hash is made, and the game asked, before it opens. */
export async function registerPlayer(
  deps: SessionsDeps,
  body: BodyOf<typeof register>,
  caller: Caller,
): Promise<AnswerOf<typeof register>> {
  assertPasswordFit(body)
  // Counted when its turn has come: who is refused by the full line is not counted.
  const passwordHash = await passwordHasher.inLine(caller.address, async ({ hash }) => {
    await deps.limits.consume(REGISTRATIONS_PER_ADDRESS, clientKey(caller.address))
    await assertTakenByGame(deps.db, body)
    await assertFree(deps, body)
    return hash(body.password)
  })
  // Not in line: a slow game would hold up everybody who signs in.
  await assertNotInGame(deps, body.username, caller)
  const { user, token, sessionId } = await inTransaction(deps.db, async (tx) => {
    const account = await createAccount(tx, {
      username: body.username,
      phone: body.phone,
      email: body.email ?? null,
      passwordHash,
      serverId: body.server_id ?? DEFAULT_SERVER_ID,
      referral: body.referral_id ?? null,
    })
    await recordRegistration(tx, account.id)
    return { user: account, ...(await openSession(deps, tx, { userId: account.id, caller })) }
  })
  caller.log.info(
    {
      event: 'registration.succeeded',
      userId: user.id,
      createdAt: user.createdAt,
      sessionId,
      address: caller.address,
    },
    'a player registered',
  )
  const { id, username, serverId } = user
  await callRegisteredHook({ hooks: deps, log: caller.log, user: { id, username, serverId } })
  return {
    access_token: token,
    message: `Đăng ký thành công! Chào mừng ${username} đến với thế giới ninja.`,
  }
}

/** A registration that only the game's silence refuses is not counted: it will be tried again, from an address that others share. */
async function assertNotInGame(deps: SessionsDeps, username: string, caller: Caller): Promise<void> {
  try {
    if (await deps.isNameInGame(username)) throw usernameTaken()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UNAVAILABLE')
      await deps.limits.giveBack(REGISTRATIONS_PER_ADDRESS, clientKey(caller.address))
    throw error
  }
}

/** Opens a player's session. A ban does not prevent a login: it is returned in `message`. */
export async function logIn(
  deps: SessionsDeps,
  body: BodyOf<typeof login>,
  caller: KnownCaller,
): Promise<AnswerOf<typeof login>> {
  const { found, token } = await signIn(deps, body, caller)
  const { id, username, serverId } = found
  callLoginHook({ hooks: deps, log: caller.log, user: { id, username, serverId } })
  const warning = isBanned(found, deps.clock.now())
    ? { message: banMessage(found.banUntil as Date, found.banReason) }
    : {}
  return { access_token: token, ...warning }
}

/** Opens a session of the operator console, for holders of a role with a second factor and a long password. */
export async function logInToConsole(
  deps: PlatformDeps,
  body: BodyOf<typeof operatorSession.open>,
  caller: KnownCaller,
): Promise<AnswerOf<typeof operatorSession.open>> {
  const { token } = await signIn(deps, body, caller, 'console')
  return { access_token: token }
}

export async function describeOperator(
  { db }: Pick<PlatformDeps, 'db'>,
  { userId, roles, permissions, steppedUpUntil }: Identity,
): Promise<AnswerOf<typeof operatorSession.me>> {
  return {
    id: userId,
    username: await findUsername(db, userId),
    roles: ROLES.filter((role) => roles.includes(role)),
    permissions: PERMISSIONS.filter((permission) => permissions.includes(permission)),
    step_up_until: steppedUpUntil?.toISOString() ?? null,
  }
}

export type KnownCaller = Caller & { isKnownDevice: boolean; hashing: Hashing }

/** Times a password is checked again because the stored hash was replaced while it was being checked. */
const LOGIN_TRIES_MAX = 3

async function signIn(
  deps: PlatformDeps,
  body: BodyOf<typeof login> & { invite?: string | undefined },
  caller: KnownCaller,
  kind: SessionKind = 'player',
): Promise<{ found: Credentials; token: string }> {
  for (let attempt = 1; attempt <= LOGIN_TRIES_MAX; attempt++) {
    const { found, isOutdated } = await provePassword(deps, body, caller)
    const { id: userId } = found
    if (kind === 'console') await assertOperator(deps, userId, body)
    const opened = await openByPassword(deps, found, { ...body, caller, kind })
    if (opened === undefined) continue
    const { token, sessionId } = opened
    const { address, isKnownDevice } = caller
    count('portal_logins_total', { outcome: 'succeeded' })
    caller.log.info({ event: 'login.succeeded', kind, userId, sessionId, address, isKnownDevice }, 'a login')
    if (isOutdated) await renewHash(deps, found, { password: body.password, caller })
    return { found, token }
  }
  throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
}

/** The account of a name and its password. Throws INVALID_CREDENTIALS. */
export async function provePassword(
  deps: PlatformDeps,
  { username, password }: { username: string; password: string },
  caller: KnownCaller,
): Promise<{ found: Credentials; isOutdated: boolean }> {
  const found = await findCredentials(deps.db, username)
  const { isRight, isOutdated } = await caller.hashing.check(found?.passwordHash, password)
  if (found === undefined || !isRight) throw refusedLogin(deps, found, caller)
  return { found, isOutdated }
}

async function assertOperator(
  { db }: PlatformDeps,
  userId: string,
  { password, invite }: { password: string; invite?: string | undefined },
): Promise<void> {
  if (invite === undefined && !(await mayEnterConsole(db, userId))) throw notAnOperator()
  if (!isLongPassword(password)) throw operatorPasswordShort()
}

/** Undefined when the password that was checked is no longer the account's. */
async function openByPassword(
  deps: PlatformDeps,
  { id: userId, passwordHash }: Credentials,
  { otp, invite, caller, kind }: BodyOf<typeof operatorSession.open> & { caller: Caller; kind: SessionKind },
): Promise<{ token: string; sessionId: string } | undefined> {
  try {
    const proof = await checkSecondFactor(deps, { userId, code: otp })
    if (kind === 'console' && proof.kind === 'none') throw operatorNotProved()
    return await inTransaction(deps.db, async (tx) => {
      if (!(await lockHolder(tx, { userId, passwordHash }))) return undefined
      const opened = await openSession(deps, tx, { userId, caller, proof, kind })
      if (invite !== undefined) await acceptInvite(deps, tx, { token: invite, userId })
      return opened
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    count('portal_logins_total', { outcome: 'second-factor' })
    caller.log.warn(
      { event: 'login.second-factor', userId, code: error.code, address: caller.address },
      'a login was not let past the second factor',
    )
    if (error.code === 'OTP_INVALID')
      noteFailedSignIn(deps, { userId, outcome: 'wrong-second-factor' }, caller)
    throw error
  }
}

/** The log names the account by id when there is one, and never what was typed: that may be a password. */
function refusedLogin(deps: PlatformDeps, found: Credentials | undefined, caller: Caller): Refusal {
  count('portal_logins_total', { outcome: 'failed' })
  caller.log.warn(
    { event: 'login.failed', userId: found?.id ?? null, address: caller.address },
    'a login was refused',
  )
  if (found) noteFailedSignIn(deps, { userId: found.id, outcome: 'wrong-password' }, caller)
  return invalidCredentials()
}

/** Replaces a hash made under older parameters. The login succeeds in any case; the next one tries again. */
export async function renewHash(
  deps: PlatformDeps,
  found: Credentials,
  { password, caller: { hashing, log } }: { password: string; caller: KnownCaller },
): Promise<void> {
  try {
    const to = await hashing.hash(password)
    await renewPasswordHash(deps.db, { userId: found.id, from: found.passwordHash, to })
  } catch (error) {
    log.warn(
      { err: error, event: 'login.rehash-failed', userId: found.id },
      'a password hash was not renewed',
    )
  }
}

/** The player behind a token that came in a body, or UNAUTHENTICATED for anything that is not live. */
export async function verifyToken(deps: PlatformDeps, token: string): Promise<User> {
  const tokenHash = tokenHashOf(token)
  const row = tokenHash === null ? undefined : await findVerified(deps.db, tokenHash)
  if (row === undefined) throw unauthenticated()
  const { sessionId, isTouchDue, ...user } = row
  if (isTouchDue) await touchSession(deps.db, sessionId)
  return describeUser(user, deps.clock.now())
}

/** A player as their own pages show them, for operators: no session is opened or used. */
export async function readUserForOperator(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  userId: string,
): Promise<User | undefined> {
  const row = await findCurrentUser(db, userId)
  return row && describeUser(row, clock.now())
}

/** As the player's own pages show them. An expired ban is left out. */
function describeUser(row: CurrentUserRow, now: Date): User {
  const ban = row.ban_until !== null && row.ban_until > now ? row.ban_until : null
  return {
    ...row,
    balance: parseCoins(row.balance),
    balance_version: Number(row.balance_version),
    ban_until: ban?.toISOString() ?? null,
    ban_reason: ban === null ? null : row.ban_reason,
    first_gift: row.first_gift === null ? null : parseCoins(row.first_gift),
    permission_names: permissionsOf(row.role_names),
    email: row.email === null ? null : maskEmail(row.email),
    phone: row.phone === null ? null : maskPhone(row.phone),
  }
}

/** Ends every session of a player, or every one but `except`; on all processes at once. Returns how many. */
export const endSessionsOf = (db: Db | Tx, sessions: { userId: string; except?: string }): Promise<number> =>
  deleteSessions(db, sessions)

/** Ends the console sessions of an operator, who no longer has what they were opened with. */
export async function endConsoleSessionsOf(tx: Tx, userId: string): Promise<void> {
  await deleteSessions(tx, { userId, kind: 'console' })
}

/** Records a step-up of this session, which unlocks it; returns until when it is valid. */
export async function markSteppedUp(tx: Tx, sessionId: string): Promise<Date> {
  const until = await updateStepUp(tx, sessionId)
  if (until === undefined) throw unauthenticated()
  return until
}

export async function logOut(deps: PlatformDeps, identity: Identity, caller: Caller): Promise<void> {
  const { userId, sessionId } = identity
  await deleteSession(deps.db, { id: sessionId, userId })
  caller.log.info({ event: 'logout', userId, sessionId, address: caller.address }, 'a player logged out')
}

export async function listSessions(
  deps: PlatformDeps,
  identity: Identity,
): Promise<AnswerOf<typeof listSessionsCall>> {
  const rows = await listLiveSessions(deps.db, identity.userId)
  return rows.map((row) => ({ ...toSession(row), is_current: row.id === identity.sessionId }))
}

const toSession = (row: Awaited<ReturnType<typeof listLiveSessions>>[number]) => ({
  id: row.id,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt.toISOString(),
  device: describeDevice(row.userAgent),
  place: describePlace(row.place),
})

/** Ends one session of the player. Somebody else's is answered like one that does not exist. */
export async function endSession(
  deps: PlatformDeps,
  { identity, id }: { identity: Identity; id: string },
  caller: Caller,
): Promise<void> {
  if (!(await deleteSession(deps.db, { id, userId: identity.userId }))) throw notFound()
  caller.log.info(
    { event: 'session.ended', userId: identity.userId, sessionId: id, address: caller.address },
    'a player ended a session',
  )
}

/** Ends every session of the player but the calling one. */
export async function endOtherSessions(
  deps: PlatformDeps,
  { userId, sessionId }: Identity,
  caller: Caller,
): Promise<void> {
  const ended = await inTransaction(deps.db, (tx) => endSessionsOf(tx, { userId, except: sessionId }))
  caller.log.info(
    { event: 'session.others-ended', userId, sessionId, ended, address: caller.address },
    'a player ended their other sessions',
  )
}

/** A player's live sessions, as operators see them. */
export async function listSessionsOf(
  db: Db,
  userId: string,
): Promise<AnswerOf<typeof operatorUserActs.sessions>> {
  return (await listLiveSessions(db, userId)).map((row) => ({ ...toSession(row), kind: row.kind }))
}

/** A player's sign-ins, the newest first, behind the one named `before`. */
export async function listSignInsOf(
  db: Db,
  part: { userId: string; before: string | undefined; limit: number },
): Promise<AnswerOf<typeof operatorUserActs.signIns>['rows']> {
  return (await selectSignInsBefore(db, part)).map(toSignIn)
}

const HOUR_MS = 3_600_000

export function startSessionJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'expired sessions', pauseMs: HOUR_MS, round: () => removeExpiredSessions(deps) },
    { name: 'forgotten devices', pauseMs: HOUR_MS, round: () => forgetOldDevices(deps) },
    { name: 'old sign-ins', pauseMs: HOUR_MS, round: () => removeOldSignIns(deps) },
  ])
}

export const personalSessions: PersonalPart = {
  lists: { sessions: exportSessions, sign_ins: exportSignIns, known_devices: exportKnownDevices },
  async erase(tx, person) {
    await endSessionsOf(tx, { userId: person.id })
    await eraseSignIns(tx, person)
  },
}
