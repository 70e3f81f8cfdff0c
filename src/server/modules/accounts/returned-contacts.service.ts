import { addNotice } from '#server/modules/notices/index.ts'
import { type Addressee, type Mail, queueMail } from '#server/modules/mail/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { phoneJustTaken } from './accounts.errors.ts'
import { deleteContacts, upsertVerifiedEmail, upsertVerifiedPhone } from './contacts.queries.ts'
import { type Contacts, isSameEmail } from './contacts.rules.ts'
import { isPhoneTaken, takePhone } from './contacts.service.ts'

type Proved = { channel: 'phone' | 'email'; contact: string }

type Replacement = {
  /** Both of `lockContacts`: what the account has, and who else has the phone. */
  own: Contacts
  holder: Contacts | undefined
  proved: Proved
  /** Names the act among others. */
  actId: string
}

/**
 * Makes a phone or an address that somebody has proved the only contact of an account that has proved none. Unproved ones go:
 * a reset by the phone or the address of an account does not ask whether it was proved.
 */
export async function replaceContacts(
  deps: Pick<PlatformDeps, 'vault'>,
  tx: Tx,
  { own, holder, proved, actId }: Replacement,
): Promise<void> {
  const { userId, username } = own
  const { channel, contact } = proved
  invariant(holder?.isPhoneVerified !== true, 'a proved phone is taken from nobody')
  if (holder) await takePhone(deps, tx, { holder, phone: contact, requestId: actId })
  await deleteContacts(tx, userId)
  await store(tx, userId, proved)
  const event = channel === 'phone' ? 'phone-changed' : 'email-changed'
  await addNotice(tx, userId, { event, subject: actId, data: {} })
  if (own.email !== null && !(channel === 'email' && isSameEmail(own.email, contact)))
    await queueMail(deps.vault, tx, contactRemovedMail({ to: own.email, username }))
}

async function store(tx: Tx, userId: string, { channel, contact }: Proved): Promise<void> {
  if (channel === 'email') return upsertVerifiedEmail(tx, { userId, email: contact })
  try {
    await upsertVerifiedPhone(tx, { userId, phone: contact })
  } catch (error) {
    throw isPhoneTaken(error) ? phoneJustTaken() : error
  }
}

/** To an address that was never proved: its holder may be the account's owner all the same. */
const contactRemovedMail = (to: Addressee): Mail => ({
  kind: 'contact-removed',
  ...to,
  subject: 'Email này đã được gỡ khỏi một tài khoản',
  paragraphs: [
    `Ban quản trị vừa trả lại tài khoản ${to.username} cho người đã nhờ hỗ trợ bằng một liên hệ đã xác minh. Email này chưa từng được xác thực cho tài khoản nên đã được gỡ.`,
  ],
  closing: [
    'Nếu tài khoản là của bạn và bạn không nhờ việc này, hãy báo ngay cho ban quản trị ở mục Nhờ hỗ trợ.',
  ],
})
