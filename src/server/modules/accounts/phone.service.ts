import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { updatePhone as updateCall } from '#contract/contacts.ts'
import { appendAudit, appendOwnAct } from '#server/modules/audit/index.ts'
import { spendCode, tryPhoneCode, type CodeTarget } from '#server/modules/otp/index.ts'
import { inTransaction, sqlState, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { consumeAll } from '#server/platform/limits/limits.ts'
import { newPhoneTaken, presentCodeRequired, samePhone, wrongCode } from './contacts.errors.ts'
import { phoneChangedMail, phoneLostMail } from './contacts.mails.ts'
import { TRIES_PER_PLAYER } from './contacts.limits.ts'
import { clearPhone, getContacts, setPhoneProved } from './contacts.queries.ts'
import type { Contacts } from './contacts.rules.ts'
import { lockContacts, type ContactCall } from './contacts.service.ts'
import { mailPlayer } from './player-mail.service.ts'

const phoneTarget = (phone: string): CodeTarget => ({ channel: 'phone', phone })

/**
 * Sets and proves a phone by its verified code. A phone the player had proved before must be proved once more; one that
 * another account has, unproved, is taken from it.
 */
export async function updatePhone(
  deps: PlatformDeps,
  { code, newPhone: phone }: BodyOf<typeof updateCall>,
  call: ContactCall,
): Promise<AnswerOf<typeof updateCall>> {
  const { userId } = call
  const before = await getContacts(deps.db, userId)
  if (before.isPhoneVerified && before.phone === phone) throw samePhone()
  await consumeAll(deps.limits, TRIES_PER_PLAYER, userId)
  const proof = { target: phoneTarget(phone), code }
  // Anybody's phone may be named here.
  const guesser = { address: call.address, isKnownDevice: false }
  if (!(await tryPhoneCode(deps, { phone, code, use: 'act' }, guesser))) {
    call.log.warn(
      { event: 'contact.code-refused', userId, address: call.address },
      'a player’s code was refused',
    )
    throw wrongCode('code')
  }
  try {
    await inTransaction(deps.db, async (tx) => {
      const { own, holder } = await lockContacts(tx, { userId, phone })
      if (!(await spendCode(deps.vault, tx, proof))) throw wrongCode('code')
      await spendPresent(deps, tx, { own, phone })
      // Only for a caller who has just verified the phone.
      if (holder?.isPhoneVerified) throw newPhoneTaken()
      if (holder) await takePhone(deps, tx, { holder, phone, requestId: call.requestId })
      await setPhoneProved(tx, { userId, phone })
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

async function takePhone(
  deps: PlatformDeps,
  tx: Tx,
  { holder, phone, requestId }: { holder: Contacts; phone: string; requestId: string },
): Promise<void> {
  await clearPhone(tx, holder.userId)
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
const isPhoneTaken = (error: unknown): boolean =>
  sqlState(error) === '23505' && (error as { constraint?: string }).constraint === 'user_contacts_phone'
