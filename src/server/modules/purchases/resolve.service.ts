import type { DeliveryStatus } from '#contract/deliveries.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { invariant } from '#server/platform/invariant.ts'
import {
  deliveryNotParked,
  deliveryNotSettled,
  gameCancelled,
  gameDoesNotAnswer,
  gameKnowsNothing,
} from './deliveries.errors.ts'
import {
  findDeliveryState,
  lockDelivery,
  notifyDeliveryDue,
  updateFinalState,
  updateParkedToDue,
} from './deliveries.queries.ts'
import { isDeliveryId, statusOf, type DeliveryState } from './deliveries.rules.ts'
import { refundHold, settleHold } from './deliveries.service.ts'
import type { DeliveriesDeps } from './worker.service.ts'

export type Resolution = { deliveryId: string; operatorId: string; reason: string; requestId: string }

/**
 * An operator ends a delivery that does not come to an end. The game is asked first to cancel it; only then do the coins
 * go back. When the game has already applied it, the delivery is settled instead. Safe also while a worker is sending:
 * the game's journal decides once for both, and the later of the two changes nothing.
 */
export async function refundDelivery(deps: DeliveriesDeps, resolution: Resolution): Promise<DeliveryStatus> {
  await assertExists(deps, resolution.deliveryId)
  const answer = await answered(deps, resolution, deps.game.cancel(resolution.deliveryId))
  return end(deps, resolution, {
    action: 'deliveries.refund',
    state: answer === 'cancelled' ? 'refunded' : 'delivered',
    isOver: (state) => state === 'delivered' || state === 'refunded',
  })
}

/** An operator sends a parked delivery on its way again, under the same id. */
export async function retryDelivery(deps: DeliveriesDeps, resolution: Resolution): Promise<DeliveryStatus> {
  await assertExists(deps, resolution.deliveryId)
  return inTransaction(deps.db, async (tx) => {
    if (!(await updateParkedToDue(tx, resolution.deliveryId))) throw deliveryNotParked()
    await notifyDeliveryDue(tx)
    await auditResolution(tx, resolution, {
      action: 'deliveries.retry',
      details: { before: 'parked', after: 'unknown' },
    })
    return statusOf('unknown')
  })
}

/**
 * An operator who has evidence marks a parked delivery as delivered: one that the game knows under this id with other
 * goods, say. What the game never applied, or cancelled, cannot be marked as delivered.
 */
export async function settleDelivery(
  deps: DeliveriesDeps,
  resolution: Resolution,
  evidence: string,
): Promise<DeliveryStatus> {
  const { deliveryId } = resolution
  await assertExists(deps, deliveryId)
  const known = await answered(deps, resolution, deps.game.deliveryStatus(deliveryId))
  if (known === 'unknown') throw gameKnowsNothing()
  if (known === 'cancelled') throw gameCancelled()
  return end(deps, resolution, {
    action: 'deliveries.settle',
    state: 'delivered',
    isOver(state) {
      if (state !== 'delivered' && state !== 'parked') throw deliveryNotSettled()
      return state === 'delivered'
    },
    evidence: { evidence },
  })
}

type End = {
  action: 'deliveries.refund' | 'deliveries.settle'
  state: 'delivered' | 'refunded'
  /** True for a delivery that stays as it is; throws for one that this act may not end. */
  isOver(state: DeliveryState): boolean
  evidence?: { evidence: string }
}

async function end(
  deps: DeliveriesDeps,
  resolution: Resolution,
  { action, state, isOver, evidence }: End,
): Promise<DeliveryStatus> {
  const { deliveryId, operatorId, requestId } = resolution
  const { held, movement } = await inTransaction(deps.db, async (tx) => {
    const held = await lockDelivery(tx, deliveryId)
    invariant(held, 'deliveries are never deleted')
    if (isOver(held.state)) return { held, movement: null }
    const note = state === 'refunded' ? 'cancelled' : null
    await updateFinalState(tx, deliveryId, { state, note })
    const actor = { actorOperatorId: operatorId, requestId }
    const movement =
      state === 'refunded'
        ? await refundHold(deps, tx, { held, note, actor })
        : await settleHold(tx, held, actor)
    const details = { before: held.state, after: state, amount: held.amount, ...evidence }
    await auditResolution(tx, resolution, { action, details })
    return { held, movement }
  })
  if (movement === null) return statusOf(held.state)
  const facts = { ...movement, requestId: held.requestId, operatorId, operatorRequestId: requestId }
  deps.log.info(facts, 'an operator ended a delivery')
  return state
}

/** The game's answer; without one the act is refused and nothing changes. */
function answered<Said>(
  { log }: DeliveriesDeps,
  { deliveryId }: Resolution,
  asked: Promise<Said>,
): Promise<Said> {
  return asked.catch((error: unknown) => {
    log.warn({ err: error, deliveryId }, 'the game did not answer an operator’s question')
    throw gameDoesNotAnswer()
  })
}

async function assertExists({ db }: DeliveriesDeps, id: string): Promise<void> {
  if (!isDeliveryId(id) || (await findDeliveryState(db, id)) === undefined) throw notFound()
}

type Act = { action: string; details: Record<string, unknown> }

async function auditResolution(tx: Tx, resolution: Resolution, { action, details }: Act): Promise<void> {
  await appendAudit(tx, {
    actor: { kind: 'operator', id: resolution.operatorId },
    action,
    subject: { type: 'delivery', id: resolution.deliveryId },
    reason: resolution.reason,
    details,
    requestId: resolution.requestId,
  })
}
