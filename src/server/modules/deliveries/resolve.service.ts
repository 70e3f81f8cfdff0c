import type { DeliveryStatus } from '#contract/deliveries.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { invariant } from '#server/platform/invariant.ts'
import { deliveryNotParked, gameDoesNotAnswer } from './deliveries.errors.ts'
import {
  findDeliveryState,
  lockDelivery,
  notifyDeliveryDue,
  updateFinalState,
  updateParkedToDue,
} from './deliveries.queries.ts'
import { isDeliveryId, statusOf } from './deliveries.rules.ts'
import { refundHold, settleHold } from './deliveries.service.ts'
import type { DeliveriesDeps } from './worker.service.ts'

export type Resolution = { deliveryId: string; operatorId: string; reason: string; requestId: string }

/**
 * An operator ends a delivery that does not come to an end. The game is asked first to refuse it for good; only then do
 * the coins go back. Says the game that it was too late, the delivery is settled instead. Safe at any moment, also
 * while a worker is just sending: the game's journal decides once for both, and who comes second changes nothing.
 */
export async function refundDelivery(deps: DeliveriesDeps, resolution: Resolution): Promise<DeliveryStatus> {
  await assertExists(deps, resolution.deliveryId)
  const answer = await deps.game.cancel(resolution.deliveryId).catch((error: unknown) => {
    deps.log.warn({ err: error, deliveryId: resolution.deliveryId }, 'the game did not answer a cancellation')
    throw gameDoesNotAnswer()
  })
  return inTransaction(deps.db, async (tx) => {
    const held = await lockDelivery(tx, resolution.deliveryId)
    invariant(held, 'deliveries are never deleted')
    if (held.state === 'delivered' || held.state === 'refunded') return held.state
    const state = answer === 'cancelled' ? 'refunded' : 'delivered'
    const note = state === 'refunded' ? 'cancelled' : null
    await updateFinalState(tx, held.id, { state, note })
    const actor = { actorOperatorId: resolution.operatorId, requestId: resolution.requestId }
    if (state === 'refunded') await refundHold(deps, tx, { held, note, actor })
    else await settleHold(tx, held, actor)
    await auditResolution(tx, resolution, {
      action: 'deliveries.refund',
      details: { before: held.state, after: state, amount: held.amount },
    })
    return state
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
