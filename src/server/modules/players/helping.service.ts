import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorUserActs } from '#contract/operator/user-acts.ts'
import { getContacts, maskEmail } from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { countResetLink, mailResetLink } from '#server/modules/passwords/index.ts'
import { endSessionsOf } from '#server/modules/sessions/index.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { findWho } from './player.queries.ts'
import { noEmail } from './players.errors.ts'
import type { PlayersDeps } from './players-deps.ts'

type Acts = typeof operatorUserActs

export async function endSessions(
  deps: PlayersDeps,
  call: UserCall<Acts['endSessions']>,
): Promise<AnswerOf<Acts['endSessions']>> {
  const userId = call.params.id
  return actAsOperator(deps, call, {
    action: 'users.end-sessions',
    work: async (tx) => {
      if ((await findWho(tx, userId)) === undefined) throw notFound()
      const ended = await endSessionsOf(tx, { userId })
      const subject = { type: 'user', id: userId }
      return {
        answer: { ended },
        audit: { subject, details: { before: { sessions: ended }, after: { sessions: 0 } } },
      }
    },
  })
}

/** Mails the link by which the player sets a new password; the operator sees neither link nor address. */
export async function sendReset(
  deps: PlayersDeps,
  call: UserCall<Acts['sendReset']>,
): Promise<AnswerOf<Acts['sendReset']>> {
  const userId = call.params.id
  return actAsOperator(deps, call, {
    action: 'users.send-reset',
    async prepare() {
      const { email } = await getContacts(deps.db, userId)
      if (email === null) throw noEmail()
      await countResetLink(deps, email)
    },
    work: async (tx) => {
      const contacts = await getContacts(tx, userId)
      if (contacts.email === null) throw noEmail()
      await mailResetLink(deps, tx, { ...contacts, email: contacts.email })
      return {
        answer: { sent_to: maskEmail(contacts.email) },
        audit: { subject: { type: 'user', id: userId }, personal: { email: contacts.email } },
      }
    },
  })
}

/**
 * The contacts as they are. They are read when the act is recorded, and are no part of its stored answer: only the audit
 * trail says that somebody saw them.
 */
export async function revealContact(
  deps: PlayersDeps,
  call: UserCall<Acts['revealContact']>,
): Promise<AnswerOf<Acts['revealContact']>> {
  const userId = call.params.id
  await actAsOperator(deps, call, {
    action: 'users.reveal-contact',
    work: async (tx) => {
      if ((await findWho(tx, userId)) === undefined) throw notFound()
      return { answer: null, audit: { subject: { type: 'user', id: userId } } }
    },
  })
  const { email, phone } = await getContacts(deps.db, userId)
  return { email, phone }
}
