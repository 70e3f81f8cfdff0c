import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type {
  sendEmailCode as sendCall,
  updateEmail as updateCall,
  verifyEmail as verifyCall,
} from '#contract/contacts.ts'
import { EMAIL_INVALID, requiredEmail } from '#contract/fields.ts'
import { appendOwnAct } from '#server/modules/audit/index.ts'
import { queueMail } from '#server/modules/mail/index.ts'
import {
  checkCode,
  CODE_AGE_MINUTES_MAX,
  makeCode,
  spendCode,
  type CodeTarget,
} from '#server/modules/otp/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { invalidField } from '#server/platform/http/refusal.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { consumeAll } from '#server/platform/limits/limits.ts'
import { presentCodeRequired, sameEmail, wrongCode } from './contacts.errors.ts'
import { codeMail, emailChangedMail } from './contacts.mails.ts'
import { CODES_PER_ADDRESS, CODES_PER_EMAIL, CODES_PER_PLAYER, TRIES_PER_PLAYER } from './contacts.limits.ts'
import { getContacts, upsertVerifiedEmail } from './contacts.queries.ts'
import { currentFactor, isSameEmail, meantEmail, type Contacts } from './contacts.rules.ts'
import { lockContacts, type ContactCall } from './contacts.service.ts'

const emailTarget = (userId: string, email: string): CodeTarget => ({ channel: 'email', userId, email })

/** Mails a code to an address, which is the player's own or one they want to have. */
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
  if (await checkCode(deps.vault, deps.db, given)) return
  call.log.warn(
    { event: 'contact.code-refused', userId: call.userId, address: call.address },
    'a player’s code was refused',
  )
  throw wrongCode(given.field)
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
  body: BodyOf<typeof updateCall>,
  call: ContactCall,
): Promise<AnswerOf<typeof updateCall>> {
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
    // Read again under the lock: a factor proved meanwhile is asked for too.
    const present = factorTarget(own)
    if (present !== null && !(await spendCode(deps.vault, tx, { target: present, code: otp ?? '' })))
      throw wrongCode('otp')
    if (!(await spendCode(deps.vault, tx, proof))) throw wrongCode('newEmailOtp')
    await upsertVerifiedEmail(tx, { userId, email: newEmail })
    if (own.email !== null && !isSameEmail(own.email, newEmail)) {
      const addressee = { to: own.email, username: own.username }
      await queueMail(deps.vault, tx, emailChangedMail(addressee, newEmail))
    }
    await appendOwnAct(tx, userId, {
      action: 'users.change-email',
      personal: { before: own.email, after: newEmail },
      requestId: call.requestId,
    })
  })
  logChange(call, 'email.changed')
  return { message: 'Đã cập nhật email của bạn.', notify: true }
}

function factorTarget(contacts: Contacts): CodeTarget | null {
  const factor = currentFactor(contacts)
  return factor?.channel === 'email' ? emailTarget(contacts.userId, factor.email) : factor
}

function logChange({ log, userId, address }: ContactCall, event: string): void {
  log.info({ event, userId, address }, 'a player’s e-mail changed')
}
