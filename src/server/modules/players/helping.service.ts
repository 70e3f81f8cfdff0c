import type { AnswerOf } from '#contract/endpoint.ts'
import { COSTS_NOTHING } from '#contract/operator/proposal-terms.ts'
import type { operatorUserActs } from '#contract/operator/users.ts'
import { findUsername, getContacts, maskEmail, mayStopProposals } from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { countResetLink, mailResetLink } from '#server/modules/passwords/index.ts'
import { propose, type Proposed, type ProposedChange } from '#server/modules/proposals/index.ts'
import {
  hasSecondFactor,
  haveSecondFactor,
  takeAwaySecondFactor,
} from '#server/modules/second-factor/index.ts'
import { endConsoleSessionsOf, endSessionsOf } from '#server/modules/sessions/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { getWho } from './players.queries.ts'
import type { PlayersDeps } from './players.service.ts'
import { noEmail, ownAccount, secondFactorOff } from './players.errors.ts'

type Acts = typeof operatorUserActs

/** Ended again and again, their sessions would keep them from refusing what is proposed. */
const SESSIONS_OF_APPROVER = sharedLimit('sessions of an approver', 3, 86_400)

export const endSessions = (deps: PlayersDeps, call: UserCall<Acts['endSessions']>) =>
  actAsOperator(deps, call, {
    action: 'users.end-sessions',
    async prepare() {
      const userId = call.params.id
      if (await mayStopProposals(deps.db, userId)) await deps.limits.consume(SESSIONS_OF_APPROVER, userId)
    },
    work: async (tx) => {
      const userId = call.params.id
      await getWho(tx, userId)
      const ended = await endSessionsOf(tx, { userId })
      const subject = { type: 'user', id: userId }
      return {
        answer: { ended },
        audit: { subject, details: { before: { sessions: ended }, after: { sessions: 0 } } },
      }
    },
  })

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
 * trail records that somebody saw them.
 */
export async function revealContact(
  deps: PlayersDeps,
  call: UserCall<Acts['revealContact']>,
): Promise<AnswerOf<Acts['revealContact']>> {
  const userId = call.params.id
  await actAsOperator(deps, call, {
    action: 'users.reveal-contact',
    work: async (tx) => {
      await getWho(tx, userId)
      return { answer: null, audit: { subject: { type: 'user', id: userId } } }
    },
  })
  const { email, phone } = await getContacts(deps.db, userId)
  return { email, phone }
}

type Call = UserCall<typeof operatorUserActs.removeSecondFactor>
type Answer = AnswerOf<typeof operatorUserActs.removeSecondFactor>

/** For a player who has lost app and recovery codes. A second person decides. */
export async function removeSecondFactor(deps: PlayersDeps, call: Call): Promise<Answer> {
  const { params, body, identity, request } = call
  const userId = params.id
  const by = { operatorId: identity.userId, requestId: request.id }
  if (userId === identity.userId) throw ownAccount()
  return actAsOperator<Answer>(deps, call, {
    action: 'users.remove-second-factor',
    work: async (tx) => {
      await findUsername(tx, userId)
      if (!(await hasSecondFactor(tx, userId))) throw secondFactorOff()
      const payload = { before: ON, after: OFF }
      const change = { kind: 'second-factor', subject: userId, payload, reason: body.reason, ...by } as const
      const proposal = await propose(deps, tx, change)
      if (proposal !== null) return { answer: { proposal }, audit: null }
      await remove(deps.vault, tx, userId)
      const subject = { type: 'user', id: userId }
      return { answer: { has_second_factor: false }, audit: { subject, details: payload } }
    },
  })
}

const ON = 'on'
const OFF = 'off'

/** False when it is off already. */
async function remove(vault: Vault, tx: Tx, userId: string): Promise<boolean> {
  return takeAwaySecondFactor({ vault, endConsoleSessionsOf }, tx, userId)
}

/** How a removal that a second person approved is done. */
export const secondFactorProposals = (vault: Vault) => ({
  async titleOf(userId: string, db: Db | Tx): Promise<string> {
    return `Gỡ xác thực hai lớp của ${await findUsername(db, userId)}`
  },
  async readMany(db: Db, userIds: readonly string[]): Promise<Map<string, string>> {
    const on = await haveSecondFactor(db, userIds)
    return new Map(userIds.map((id) => [id, on.has(id) ? ON : OFF]))
  },
  termsOf: (_db: Db | Tx, changes: readonly Proposed[]) =>
    Promise.resolve(
      changes.map(() => ({
        lines: [{ label: 'Xác thực hai lớp', before: 'Đang bật', after: 'Tắt' }],
        worst: `${COSTS_NOTHING}; sau đó chỉ cần mật khẩu là vào được tài khoản này`,
      })),
    ),
  apply: (tx: Tx, { subject }: ProposedChange): Promise<boolean> => remove(vault, tx, subject),
})
