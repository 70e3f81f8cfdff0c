import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { checkResetLink, resetPassword } from '#contract/accounts/passwords.ts'
import {
  assertNewPasswordFit,
  getContacts,
  isSameEmail,
  lockContacts,
  passwordHasher,
  setNewPasswordHash,
} from '#server/modules/accounts/index.ts'
import { appendOwnAct } from '#server/modules/audit/index.ts'
import { queueMail } from '#server/modules/mail/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import { checkSecondFactor, type SecondFactorProof } from '#server/modules/second-factor/index.ts'
import { type Caller, endSessionsOf, openSession } from '#server/modules/sessions/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { consumeAll } from '#server/platform/limits/limits.ts'
import { tokenHashOf } from '#server/platform/values/crypto.ts'
import { LINK_EMAIL_PURPOSE, type LinkDeps, RESETS_PER_ADDRESS } from './link-requests.service.ts'
import { passwordResetMail, type ResetWay } from './passwords.mails.ts'
import { deleteReset, findReset, lockReset, type Reset } from './resets.queries.ts'

/** The same for every link that opens nothing: made up, used, too old, or replaced by a newer one. */
const linkInvalid = () => new Refusal('TOKEN_INVALID')

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
