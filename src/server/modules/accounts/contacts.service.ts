import type {
  sendEmailCode as sendCall,
  updateEmail as updateEmailCall,
  updatePhone as updatePhoneCall,
  verifyEmail as verifyCall,
} from '#contract/accounts/one-time-codes.ts'
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import { EMAIL_INVALID, requiredEmail } from '#contract/fields.ts'
import { appendAudit, appendOwnAct } from '#server/modules/audit/index.ts'
import { type Addressee, type Mail, queueMail } from '#server/modules/mail/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import {
  checkCode,
  CODE_AGE_MINUTES_MAX,
  type CodeTarget,
  makeCode,
  spendCode,
  tryPhoneCode,
} from '#server/modules/otp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, sqlState, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { invalidField, orNotFound, type Refusal } from '#server/platform/values/errors.ts'
import { consumeAll, sharedLimit } from '#server/platform/limits/limits.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { newPhoneTaken, presentCodeRequired, sameEmail, samePhone, wrongCode } from './accounts.errors.ts'
import { findVerifiedAddress } from './accounts.service.ts'
import {
  clearPhone,
  lockContactRows,
  selectContacts,
  selectContactsByName,
  upsertVerifiedEmail,
  upsertVerifiedPhone,
} from './contacts.queries.ts'
import {
  type Contacts,
  currentFactor,
  isSameEmail,
  meantEmail,
  maskEmail,
  maskPhone,
} from './contacts.rules.ts'
import { usernameKey } from './accounts.rules.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** Codes to one mailbox, requested by anyone. */
const CODES_PER_EMAIL = [sharedLimit('email code hour', 5, HOUR), sharedLimit('email code day', 10, DAY)]
/** A change of address takes two codes, so a player may request twice as many. */
const CODES_PER_PLAYER = [
  sharedLimit('email code player hour', 10, HOUR),
  sharedLimit('email code player day', 20, DAY),
]
const CODES_PER_ADDRESS = [sharedLimit('email code address hour', 100, HOUR)]
/** Codes typed by one player: a new code brings five new tries, but not for ever. */
const TRIES_PER_PLAYER = [sharedLimit('contact code try', 20, DAY)]

/** Which player changes their contacts, and where the call comes from. */
export type ContactCall = { userId: string; address: string; requestId: string; log: Log }

/** Throws NOT_FOUND. */
export async function getContacts(db: Db | Tx, userId: string): Promise<Contacts> {
  return orNotFound(await selectContacts(db, userId))
}

/** The phone a player has proved to hold, in its canonical form. */
export async function findVerifiedPhone(db: Db | Tx, userId: string): Promise<string | null> {
  const { phone, isPhoneVerified } = await getContacts(db, userId)
  return isPhoneVerified ? phone : null
}

/** Marks a phone as verified. Call after `lockContacts` and `spendCode`, in the same transaction. */
export async function setPhoneProved(tx: Tx, proved: { userId: string; phone: string }): Promise<void> {
  await upsertVerifiedPhone(tx, proved)
}

/** Ignores the case of the name. */
export async function findContactsByName(db: Db, username: string): Promise<Contacts | undefined> {
  const key = usernameKey(username)
  return key === null ? undefined : selectContactsByName(db, key)
}

/**
 * Locks an account and its contacts, and those of anyone who else has `phone`. First in a transaction that changes
 * password or contacts, so that all of them take turns and none waits for another in a circle.
 */
export async function lockContacts(
  tx: Tx,
  { userId, phone }: { userId: string; phone: string | null },
): Promise<{ own: Contacts; holder: Contacts | undefined }> {
  const rows = await lockContactRows(tx, { userId, phone })
  return {
    // Read again where there is no row to lock: contacts may have been erased.
    own: rows.find((row) => row.userId === userId) ?? (await getContacts(tx, userId)),
    holder: rows.find((row) => row.userId !== userId),
  }
}

const emailTarget = (userId: string, email: string): Extract<CodeTarget, { channel: 'email' }> => ({
  channel: 'email',
  userId,
  email,
})

/** Mails a code to an address, which is the player's own or one they are about to set. */
export async function sendEmailCode(
  deps: PlatformDeps,
  body: BodyOf<typeof sendCall>,
  call: ContactCall,
): Promise<AnswerOf<typeof sendCall>> {
  const { email: own, username } = await getContacts(deps.db, call.userId)
  const email = meantEmail(own, body.email)
  if (!requiredEmail.safeParse(email).success) throw invalidField('email', EMAIL_INVALID)
  await consumeAll(deps.limits, CODES_PER_PLAYER, call.userId)
  await consumeAll(deps.limits, CODES_PER_ADDRESS, clientKey(call.address))
  await consumeAll(deps.limits, CODES_PER_EMAIL, email.toLowerCase())
  await inTransaction(deps.db, async (tx) => {
    const code = await makeCode(deps.vault, tx, emailTarget(call.userId, email))
    const mail = codeMail({ to: email, username }, { code, minutes: CODE_AGE_MINUTES_MAX })
    await queueMail(deps.vault, tx, mail)
  })
  call.log.info(
    { event: 'email.code-sent', userId: call.userId, address: call.address },
    'a code was mailed to a player',
  )
  return {
    message: `Đã gửi mã OTP đến email của bạn. Mã có hiệu lực trong ${CODE_AGE_MINUTES_MAX} phút.`,
    notify: true,
  }
}

/** Counts a wrong code as a try, outside any transaction: a refusal inside one would take the count back. */
async function assertCode(
  deps: PlatformDeps,
  given: { target: CodeTarget; code: string; field: 'code' | 'otp' | 'newEmailOtp' },
  call: ContactCall,
): Promise<void> {
  if (!(await checkCode(deps.vault, deps.db, given))) throw codeRefused(call, given.field)
}

function codeRefused({ log, userId, address }: ContactCall, field: Parameters<typeof wrongCode>[0]): Refusal {
  log.warn({ event: 'contact.code-refused', userId, address }, 'a player’s code was refused')
  return wrongCode(field)
}

/** Proves the player's present address. */
export async function verifyEmail(
  deps: PlatformDeps,
  { code }: BodyOf<typeof verifyCall>,
  call: ContactCall,
): Promise<AnswerOf<typeof verifyCall>> {
  const { email } = await getContacts(deps.db, call.userId)
  await consumeAll(deps.limits, TRIES_PER_PLAYER, call.userId)
  if (email === null) throw wrongCode('code')
  const target = emailTarget(call.userId, email)
  await assertCode(deps, { target, code, field: 'code' }, call)
  await inTransaction(deps.db, async (tx) => {
    const { own } = await lockContacts(tx, { userId: call.userId, phone: null })
    // Another address by now is not proved by the code of this one.
    if (!isSameEmail(own.email, email)) throw wrongCode('code')
    if (!(await spendCode(deps.vault, tx, { target, code }))) throw wrongCode('code')
    await upsertVerifiedEmail(tx, { userId: call.userId, email })
    const { userId, requestId } = call
    await appendOwnAct(tx, userId, { action: 'users.verify-email', personal: { email }, requestId })
  })
  logChange(call, 'email.verified')
  return { message: 'Đã xác thực email của bạn.', notify: true }
}

/** Sets another address: what the account has proved must still be held, and the new address is proved. */
export async function updateEmail(
  deps: PlatformDeps,
  body: BodyOf<typeof updateEmailCall>,
  call: ContactCall,
): Promise<AnswerOf<typeof updateEmailCall>> {
  const { userId } = call
  const { newEmail, newEmailOtp } = body
  const otp = body.otp || null
  const before = await getContacts(deps.db, userId)
  if (before.isEmailVerified && isSameEmail(before.email, newEmail)) throw sameEmail()
  await consumeAll(deps.limits, TRIES_PER_PLAYER, userId)
  const target = factorTarget(before)
  if (target !== null) {
    if (otp === null) throw presentCodeRequired(target.channel)
    await assertCode(deps, { target, code: otp, field: 'otp' }, call)
  }
  const proof = { target: emailTarget(userId, newEmail), code: newEmailOtp }
  await assertCode(deps, { ...proof, field: 'newEmailOtp' }, call)
  await inTransaction(deps.db, async (tx) => {
    const { own } = await lockContacts(tx, { userId, phone: null })
    // Read again under the lock: a factor proved meanwhile is required too.
    const present = factorTarget(own)
    if (present !== null && !(await spendCode(deps.vault, tx, { target: present, code: otp ?? '' })))
      throw wrongCode('otp')
    if (!(await spendCode(deps.vault, tx, proof))) throw wrongCode('newEmailOtp')
    await upsertVerifiedEmail(tx, { userId, email: newEmail })
    if (own.email !== null && !isSameEmail(own.email, newEmail)) {
      const addressee = { to: own.email, username: own.username }
      await queueMail(deps.vault, tx, emailChangedMail(addressee, newEmail))
    }
    await addNotice(tx, userId, { event: 'email-changed', subject: call.requestId, data: {} })
    await appendOwnAct(tx, userId, {
      action: 'users.change-email',
      personal: { before: own.email, after: newEmail },
      requestId: call.requestId,
    })
  })
  logChange(call, 'email.changed')
  return { message: 'Đã cập nhật email của bạn.', notify: true }
}

function factorTarget(contacts: Contacts): Exclude<CodeTarget, { channel: 'game' }> | null {
  const factor = currentFactor(contacts)
  return factor?.channel === 'email' ? emailTarget(contacts.userId, factor.email) : factor
}

function logChange({ log, userId, address }: ContactCall, event: string): void {
  log.info({ event, userId, address }, 'a player’s e-mail changed')
}

const phoneTarget = (phone: string): CodeTarget => ({ channel: 'phone', phone })

/**
 * Sets and proves a phone by its verified code. A phone the player had proved before must be proved once more; one that
 * another account has, unproved, is taken from it.
 */
export async function updatePhone(
  deps: PlatformDeps,
  { code, newPhone: phone }: BodyOf<typeof updatePhoneCall>,
  call: ContactCall,
): Promise<AnswerOf<typeof updatePhoneCall>> {
  const { userId } = call
  const before = await getContacts(deps.db, userId)
  if (before.isPhoneVerified && before.phone === phone) throw samePhone()
  await consumeAll(deps.limits, TRIES_PER_PLAYER, userId)
  const proof = { target: phoneTarget(phone), code }
  // Anybody's phone may be named here.
  const guesser = { address: call.address, isKnownDevice: false }
  if (!(await tryPhoneCode(deps, { phone, code, use: 'act' }, guesser))) throw codeRefused(call, 'code')
  try {
    await inTransaction(deps.db, async (tx) => {
      const { own, holder } = await lockContacts(tx, { userId, phone })
      if (!(await spendCode(deps.vault, tx, proof))) throw wrongCode('code')
      await spendPresent(deps, tx, { own, phone })
      // Only for a caller who has just verified the phone.
      if (holder?.isPhoneVerified) throw newPhoneTaken()
      if (holder) await takePhone(deps, tx, { holder, phone, requestId: call.requestId })
      await setPhoneProved(tx, { userId, phone })
      await addNotice(tx, userId, { event: 'phone-changed', subject: call.requestId, data: {} })
      await mailPlayer(deps.vault, tx, userId, (to) => phoneChangedMail(to, phone))
      await appendOwnAct(tx, userId, {
        action: 'users.change-phone',
        details: { taken_from: holder?.userId ?? null },
        personal: { before: own.phone, after: phone },
        requestId: call.requestId,
      })
    })
  } catch (error) {
    throw isPhoneTaken(error) ? newPhoneTaken() : error
  }
  call.log.info({ event: 'phone.changed', userId, address: call.address }, 'a player’s phone changed')
  return { message: 'Đã cập nhật và xác thực số điện thoại của bạn.', report: true }
}

/** The phone that was proved before must have a verified code of its own, whichever it is. */
async function spendPresent(
  deps: PlatformDeps,
  tx: Tx,
  { own, phone }: { own: Contacts; phone: string },
): Promise<void> {
  if (own.phone === null || !own.isPhoneVerified || own.phone === phone) return
  const target = phoneTarget(own.phone)
  if (!(await spendCode(deps.vault, tx, { target, code: null }))) throw presentCodeRequired('phone')
}

/** Takes an unproved phone from the account that has it; its player is told. `requestId` names the act. */
export async function takePhone(
  deps: Pick<PlatformDeps, 'vault'>,
  tx: Tx,
  { holder, phone, requestId }: { holder: Contacts; phone: string; requestId: string },
): Promise<void> {
  await clearPhone(tx, holder.userId)
  await addNotice(tx, holder.userId, { event: 'phone-lost', subject: requestId, data: {} })
  await mailPlayer(deps.vault, tx, holder.userId, (to) => phoneLostMail(to, phone))
  await appendAudit(tx, {
    actor: { kind: 'system' },
    action: 'users.lose-phone',
    subject: { type: 'user', id: holder.userId },
    personal: { before: phone },
    requestId,
  })
}

/** Somebody registered with the phone in the very moment; the code is not spent, and the next try takes it. */
export const isPhoneTaken = (error: unknown): boolean =>
  sqlState(error) === '23505' && (error as { constraint?: string }).constraint === 'user_contacts_phone'

/** Queues a mail to a player's verified address, if there is one; answers its id, or null. */
export async function mailPlayer(
  vault: Vault,
  tx: Tx,
  userId: string,
  write: (to: Addressee) => Mail,
): Promise<string | null> {
  const address = await findVerifiedAddress(tx, userId)
  if (!address) return null
  return queueMail(vault, tx, write({ to: address.email, username: address.username }))
}

const NOT_YOU =
  'Nếu không phải bạn, hãy đặt lại mật khẩu ngay và báo cho ban quản trị: người khác có thể đang dùng tài khoản của bạn.'

const codeMail = (to: Addressee, { code, minutes }: { code: string; minutes: number }): Mail => ({
  kind: 'email-code',
  ...to,
  subject: 'Mã OTP xác thực email của bạn',
  paragraphs: ['Đây là mã OTP để xác thực địa chỉ email này cho tài khoản của bạn.'],
  code,
  closing: [
    `Mã có hiệu lực trong ${minutes} phút. Đừng đưa mã cho bất kỳ ai, kể cả người tự xưng là ban quản trị.`,
    'Nếu bạn không yêu cầu mã này, hãy bỏ qua thư này.',
  ],
  usefulMinutes: minutes,
})

/** To the replaced address: an attacker in the account would have replaced the current one. */
const emailChangedMail = (to: Addressee, newEmail: string): Mail => ({
  kind: 'email-changed',
  ...to,
  subject: 'Email của tài khoản đã được thay đổi',
  paragraphs: [
    `Email của tài khoản ${to.username} vừa được đổi thành ${maskEmail(newEmail)}. Từ nay thư của tài khoản không còn gửi đến địa chỉ này nữa.`,
  ],
  closing: [NOT_YOU],
})

const phoneChangedMail = (to: Addressee, newPhone: string): Mail => ({
  kind: 'phone-changed',
  ...to,
  subject: 'Số điện thoại của tài khoản đã được cập nhật',
  paragraphs: [`Số điện thoại ${maskPhone(newPhone)} vừa được xác thực cho tài khoản ${to.username}.`],
  closing: [NOT_YOU],
})

/** To a player whose phone, never proved, was proved by somebody else. */
const phoneLostMail = (to: Addressee, phone: string): Mail => ({
  kind: 'phone-lost',
  ...to,
  subject: 'Tài khoản của bạn cần một số điện thoại khác',
  paragraphs: [
    `Số điện thoại ${maskPhone(phone)} chưa được xác thực cho tài khoản ${to.username} và vừa được chủ của số xác thực cho một tài khoản khác.`,
    'Bạn hãy vào trang cá nhân để thêm số điện thoại của mình và xác thực.',
  ],
})
