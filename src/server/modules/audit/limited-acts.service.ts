import { ACT_GUARDS, type ActGuard, type OperatorAct } from '#contract/operator/act-guards.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/invariant.ts'
import { insertLimitedAct, lockSum, sumOfDay, type LimitedAct } from './limited-acts.queries.ts'

/**
 * Whether one person may do it alone: with it, neither what this operator nor what this player was given or taken by acts
 * that count is above the limit within 24 hours. Counts it then. The caller's act has its operator's turn already
 * (`actAsOperator`); those that concern the player take turns from here on, so that two acts at once cannot both fit.
 */
export async function countAlone(
  tx: Tx,
  act: LimitedAct & { action: OperatorAct; limit: number },
): Promise<boolean> {
  const guard: ActGuard = ACT_GUARDS[act.action]
  invariant(guard.limit !== null, 'only acts whose row has a limit are counted')
  if (act.userId !== null) await lockSum(tx, 'player', act.userId)
  const { ofOperator, ofPlayer } = await sumOfDay(tx, act)
  if (Math.max(ofOperator, ofPlayer) + act.coins > act.limit) return false
  await insertLimitedAct(tx, act)
  return true
}
