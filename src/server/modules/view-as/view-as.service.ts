import { type PlayersView, VIEW_AS_MINUTES, viewAsCall } from '#contract/operator/users.ts'
import { findSignInBan } from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { listCases } from '#server/modules/cases/index.ts'
import { listClosureNotices } from '#server/modules/maintenance/index.ts'
import { listDeliveries } from '#server/modules/purchases/index.ts'
import { listClaims } from '#server/modules/recharge-claims/index.ts'
import { assertPlaceLeft, listOrders, type RechargeDeps } from '#server/modules/recharge/index.ts'
import { readUserForOperator, signInBanned } from '#server/modules/sessions/index.ts'
import { listStatement } from '#server/modules/statements/index.ts'
import { assertMayTrade, assertNotBanned, findTrader, type Trader } from '#server/modules/traders/index.ts'
import type { UserCall, Api } from '#server/platform/http/api.ts'
import { conflict, notFound, Refusal } from '#server/platform/values/errors.ts'

type ViewAsDeps = RechargeDeps

const MINUTE_MS = 60_000

/**
 * What a player sees, by the services of their own calls. The view is recorded first; what is read is no part of
 * the stored answer, so that a repeated key reads the present state, and only as long as the view lasts.
 */
async function viewAs(deps: ViewAsDeps, call: UserCall<typeof viewAsCall>): Promise<PlayersView> {
  const userId = call.params.id
  const { until } = await actAsOperator(deps, call, {
    action: 'users.view-as',
    work: async (tx) => {
      if ((await findTrader(tx, userId)) === undefined) throw notFound()
      const end = new Date(deps.clock.now().getTime() + VIEW_AS_MINUTES * MINUTE_MS).toISOString()
      return {
        answer: { until: end },
        audit: { subject: { type: 'user', id: userId }, details: { until: end } },
      }
    },
  })
  if (Date.parse(until) <= deps.clock.now().getTime()) throw viewIsOver()
  const user = await readUserForOperator(deps, userId)
  const trader = await findTrader(deps.db, userId)
  if (user === undefined || trader === undefined) throw notFound()
  return {
    until,
    user,
    refusals: await refusalsOf(deps, trader),
    notices: await listClosureNotices(deps),
    // Without what pays them: the contract leaves it out.
    orders: (await listOrders(deps, userId, {})).data,
    deliveries: (await listDeliveries(deps.db, userId, {})).data,
    claims: (await listClaims(deps, userId, {})).data,
    cases: (await listCases(deps, userId, {})).data,
    transactions: (await listStatement(deps, userId, {})).data,
  }
}

const viewIsOver = () => conflict(`Bản xem đã quá ${VIEW_AS_MINUTES} phút. Hãy mở lại với một lý do`)

/** What the player would read when they tried. */
async function refusalsOf(deps: ViewAsDeps, trader: Trader): Promise<PlayersView['refusals']> {
  const ban = await findSignInBan(deps.db, trader.id)
  const tries = {
    'sign-in': () => {
      if (ban !== undefined) throw signInBanned(ban)
    },
    trading: () => assertMayTrade(trader, deps.clock.now()),
    recharge: () => {
      assertNotBanned(trader, deps.clock.now())
      return assertPlaceLeft(deps.db, trader.id)
    },
  } as const
  const refusals: PlayersView['refusals'] = []
  for (const name of ['sign-in', 'trading', 'recharge'] as const) {
    try {
      await tries[name]()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push({ of: name, message: error.message })
    }
  }
  return refusals
}

export function registerViewAs(api: Api, deps: ViewAsDeps): void {
  api.serve(viewAsCall, (call) => viewAs(deps, call))
}
