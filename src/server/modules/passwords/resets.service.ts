import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { checkResetLink, resetPassword, resetPasswordViaPhone } from '#contract/accounts/passwords.ts'
import {
  assertNewPasswordFit,
  assertPasswordFit,
  findContactsByName,
  findCredentials,
  getContacts,
  isSameEmail,
  lockContacts,
  passwordHasher,
  setNewPasswordHash,
  setPhoneProved,
} from '#server/modules/accounts/index.ts'
import { appendOwnAct } from '#server/modules/audit/index.ts'
import { queueMail } from '#server/modules/mail/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import { type CodeTarget, spendCode, tryPhoneCode } from '#server/modules/otp/index.ts'
import { checkSecondFactor, type SecondFactorProof } from '#server/modules/second-factor/index.ts'
import { type Caller, endSessionsOf, isDeviceOfPhone, openSession } from '#server/modules/sessions/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { consumeAll } from '#server/platform/limits/limits.ts'
import { tokenHashOf } from '#server/platform/values/crypto.ts'
import {
  LINK_EMAIL_PURPOSE,
  type LinkDeps,
  PHONE_RESETS_PER_ADDRESS,
  RESETS_PER_ADDRESS,
} from './link-requests.service.ts'
import { passwordResetMail, type ResetWay } from './passwords.mails.ts'
import { deleteReset, findReset, lockReset, type Reset } from './resets.queries.ts'

/** The same for every link that opens nothing: made up, used, too old, or replaced by a newer one. */
const linkInvalid = () => new Refusal('TOKEN_INVALID')

/** The same for a wrong code, a name that does not exist and a phone that is not that name's. */
const phoneResetRefused = () => new Refusal('OTP_INVALID')

export type ResetsDeps = LinkDeps

export type ResetRequest<Body> = { body: Body; requestId: string }

/** `email` is empty for the link of an account that has none. */
type OpenLink = Reset & { email: string }

/** Sets a new password by the token of a mailed link. */
export async function resetByLink(
  deps: ResetsDeps,
  { body, requestId }: ResetRequest<BodyOf<typeof resetPassword>>,
  caller: Caller,
): Promise<AnswerOf<typeof resetPassword>> {
  const link = await findLink(deps, body.token, caller)
  if (link === null) throw linkInvalid()
  const { tokenHash, userId, username, email } = link
  await assertNewPasswordFit(deps.db, { userId, username, password: body.password })
  const proof = await checkSecondFactor(deps, { userId, code: body.otp })
  const hash = await passwordHasher.inLine(caller.address, async (hashing) => {
    if ((await openLink(deps, tokenHash)) === null) throw linkInvalid()
    return hashing.hash(body.password)
  })
  const done = await inTransaction(deps.db, async (tx) => {
    const locked = await lockReset(tx, tokenHash)
    if (locked === undefined) throw linkInvalid()
    const { own } = await lockContacts(tx, { userId, phone: null })
    if (!isSameEmail(own.email ?? '', email)) throw linkInvalid()
    await deleteReset(tx, userId)
    return finish(deps, tx, {
      userId,
      username,
      proof,
      hash,
      notifyTo: email || null,
      way: email === '' ? 'command-line' : 'email',
      requestId,
      caller,
    })
  })
  return answer(done, caller)
}

/** Lets a page show at once that its link was used or is too old, before anybody types a new password. */
export async function checkLink(
  deps: ResetsDeps,
  token: string,
  caller: Caller,
): Promise<AnswerOf<typeof checkResetLink>> {
  return { is_valid: (await findLink(deps, token, caller)) !== null }
}

async function findLink(
  deps: ResetsDeps,
  token: string,
  caller: Caller,
): Promise<(OpenLink & { tokenHash: Buffer }) | null> {
  await consumeAll(deps.limits, RESETS_PER_ADDRESS, clientKey(caller.address))
  const tokenHash = tokenHashOf(token)
  const link = tokenHash === null ? null : await openLink(deps, tokenHash)
  if (tokenHash === null || link === null) {
    caller.log.warn(
      { event: 'password.link-refused', address: caller.address },
      'a link that opens nothing was used',
    )
    return null
  }
  return { ...link, tokenHash }
}

/** The account a link opens; null when it opens none, or its account has another address by now. */
async function openLink(deps: ResetsDeps, tokenHash: Buffer): Promise<OpenLink | null> {
  const found = await findReset(deps.db, tokenHash)
  if (found === undefined) return null
  const email = await deps.vault.open(LINK_EMAIL_PURPOSE, found.sealedEmail)
  const { email: present } = await getContacts(deps.db, found.userId)
  return isSameEmail(present ?? '', email) ? { ...found, email } : null
}

/**
 * Sets a new password by a verified code of the account's phone, which is proved by that. A wrong code, a name that does
 * not exist and a phone that is not its own are refused alike, after the same statements and without a hash.
 */
export async function resetByPhone(
  deps: ResetsDeps,
  { body, requestId }: ResetRequest<BodyOf<typeof resetPasswordViaPhone>>,
  caller: Caller,
): Promise<AnswerOf<typeof resetPasswordViaPhone>> {
  const { phone, code, password } = body
  const target: CodeTarget = { channel: 'phone', phone }
  // Computed from the input only, so that it reveals nothing about accounts.
  assertPasswordFit({ username: body.username, password })
  await consumeAll(deps.limits, RESETS_PER_ADDRESS, clientKey(caller.address))
  await consumeAll(deps.limits, PHONE_RESETS_PER_ADDRESS, `${clientKey(caller.address)} ${phone}`)
  const isKnownDevice = await isDeviceOfPhone(deps.db, phone, caller)
  const guesser = { address: caller.address, isKnownDevice }
  const isCodeRight = await tryPhoneCode(deps, { phone, code, use: 'act' }, guesser)
  const account = await findContactsByName(deps.db, body.username)
  if (!isCodeRight || account?.phone !== phone) {
    caller.log.warn(
      { event: 'password.phone-reset-refused', userId: account?.userId ?? null, address: caller.address },
      'a reset by phone was refused',
    )
    throw phoneResetRefused()
  }
  const { userId, username } = account
  await assertNewPasswordFit(deps.db, { userId, username, password })
  const proof = await checkSecondFactor(deps, { userId, code: body.otp })
  const before = await findCredentials(deps.db, username)
  // Read when the hash's turn has come: of many calls with one code, all but the first are over by then.
  const hash = await passwordHasher.inLine(caller.address, async (hashing) => {
    const now = await findCredentials(deps.db, username)
    if (now?.passwordHash !== before?.passwordHash) throw phoneResetRefused()
    return hashing.hash(password)
  })
  const done = await inTransaction(deps.db, async (tx) => {
    const { own } = await lockContacts(tx, { userId, phone: null })
    if (own.phone !== phone) throw phoneResetRefused()
    if (!(await spendCode(deps.vault, tx, { target, code }))) throw phoneResetRefused()
    if (!own.isPhoneVerified) await setPhoneProved(tx, { userId, phone })
    const notifyTo = own.isEmailVerified ? own.email : null
    const way = 'phone' as const
    return finish(deps, tx, { userId, username, proof, hash, notifyTo, way, requestId, caller })
  })
  return answer(done, caller)
}

type Finish = {
  userId: string
  username: string
  hash: string
  proof: SecondFactorProof
  /** The address for the mail about the change, if any. */
  notifyTo: string | null
  way: ResetWay
  requestId: string
  caller: Caller
}

/** What every reset ends in: the password is set, every session is over, and a new one begins. */
export async function finish(
  deps: ResetsDeps,
  tx: Tx,
  { userId, username, hash, proof, notifyTo, way, requestId, caller }: Finish,
) {
  await setNewPasswordHash(tx, { userId, hash })
  const ended = await endSessionsOf(tx, { userId })
  const { token, sessionId } = await openSession(deps, tx, { userId, caller, proof })
  await addNotice(tx, userId, { event: 'password-reset', subject: requestId, data: {} })
  if (notifyTo !== null) await queueMail(deps.vault, tx, passwordResetMail({ to: notifyTo, username }, way))
  await appendOwnAct(tx, userId, {
    action: 'users.reset-password',
    details: { way, sessions_ended: ended },
    personal: { address: caller.address },
    requestId,
  })
  return { token, userId, way, sessionId, ended }
}

/** After the commit: what is logged has happened. */
export function answer(
  { token, ...facts }: Awaited<ReturnType<typeof finish>>,
  { log, address }: Caller,
): { access_token: string; message: string } {
  log.info({ event: 'password.reset', ...facts, address }, 'a player reset their password')
  return { access_token: token, message: 'Đặt lại mật khẩu thành công. Các thiết bị khác đã được đăng xuất.' }
}
