import type { AnswerOf } from '#contract/endpoint.ts'
import { BAN_FOREVER, type BanScope } from '#contract/users.ts'
import type { Bans, operatorUserActs } from '#contract/operator/users.ts'
import { lockBans, mayStopProposals, setBan, type StoredBans } from '#server/modules/accounts/index.ts'
import { actAsOperator, actOnSeveral } from '#server/modules/audit/index.ts'
import { endSessionsOf } from '#server/modules/sessions/index.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { invalidField } from '#server/platform/values/errors.ts'
import { approverNotBanned, noSuchBan, ownAccount } from './players.errors.ts'
import type { PlayersDeps } from './players.service.ts'

type Acts = typeof operatorUserActs

/** Bans a player until a moment, or for good. One who may not sign in is signed out everywhere. */
export async function banPlayer(
  deps: PlayersDeps,
  call: UserCall<Acts['ban']>,
): Promise<AnswerOf<Acts['ban']>> {
  const { params, body, identity } = call
  const { scope, reason } = body
  const userId = params.id
  const until = endOf(deps, body.until)
  if (userId === identity.userId) throw ownAccount()
  return actAsOperator(deps, call, {
    action: 'users.ban',
    work: async (tx) => {
      const before = await lockBans(tx, userId)
      // Whoever may refuse what is proposed is not to be kept out of the console while it waits.
      if (scope === 'sign-in' && (await mayStopProposals(tx, userId))) throw approverNotBanned()
      await setBan(tx, { userId, scope, until, reason })
      const ended = scope === 'sign-in' ? await endSessionsOf(tx, { userId }) : 0
      const answer = {
        ...runningBans(before, deps.clock.now()),
        [scope]: { until: until.toISOString(), reason },
      }
      return { answer, audit: auditOf({ userId, scope, before, after: until, ended }) }
    },
  })
}

/** The same for several players, each by itself. */
export async function banPlayers(
  deps: PlayersDeps,
  call: UserCall<Acts['banMany']>,
): Promise<AnswerOf<Acts['banMany']>> {
  const { ids, ...body } = call.body
  endOf(deps, body.until)
  return actOnSeveral(deps, call, {
    action: 'users.ban-many',
    rows: ids.map((id) => ({ id })),
    async act(params, own) {
      await banPlayer(deps, { ...call, ...own, params, body })
      return false
    },
  })
}

function endOf({ clock }: PlayersDeps, given: string | null): Date {
  const until = new Date(given ?? BAN_FOREVER)
  if (until <= clock.now()) throw invalidField('until', 'Thời điểm kết thúc phải ở sau lúc này')
  return until
}

export const liftBan = (deps: PlayersDeps, call: UserCall<Acts['liftBan']>) =>
  actAsOperator(deps, call, {
    action: 'users.lift-ban',
    work: async (tx) => {
      const { params, body } = call
      const { scope } = body
      const userId = params.id
      const before = await lockBans(tx, userId)
      const running = runningBans(before, deps.clock.now())
      if (running[scope] === null) throw noSuchBan()
      await setBan(tx, { userId, scope, until: null, reason: null })
      return {
        answer: { ...running, [scope]: null },
        audit: auditOf({ userId, scope, before, after: null, ended: 0 }),
      }
    },
  })

function runningBans(bans: StoredBans, now: Date): Bans {
  const shown = ({ until, reason }: StoredBans[BanScope]) =>
    until === null || until <= now ? null : { until: until.toISOString(), reason }
  return { 'sign-in': shown(bans['sign-in']), trading: shown(bans.trading) }
}

type Change = { userId: string; scope: BanScope; before: StoredBans; after: Date | null; ended: number }

const auditOf = ({ userId, scope, before, after, ended }: Change) => ({
  subject: { type: 'user', id: userId },
  details: {
    scope,
    before: { until: before[scope].until?.toISOString() ?? null },
    after: { until: after?.toISOString() ?? null },
    ...(ended > 0 ? { sessions_ended: ended } : {}),
  },
})
