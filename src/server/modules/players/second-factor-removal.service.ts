import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorUserActs } from '#contract/operator/user-acts.ts'
import { findUsername } from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { propose, type ProposedChange } from '#server/modules/proposals/index.ts'
import {
  hasSecondFactor,
  haveSecondFactor,
  takeAwaySecondFactor,
} from '#server/modules/second-factor/index.ts'
import { endConsoleSessionsOf } from '#server/modules/sessions/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { Vault } from '#server/platform/vault/vault.ts'
import { ownAccount, secondFactorOff } from './players.errors.ts'
import type { PlayersDeps } from './players-deps.ts'

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
      const asked = { kind: 'second-factor', subject: userId, payload, reason: body.reason, ...by } as const
      const proposal = await propose(deps, tx, asked)
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
  apply: (tx: Tx, { subject }: ProposedChange): Promise<boolean> => remove(vault, tx, subject),
})
