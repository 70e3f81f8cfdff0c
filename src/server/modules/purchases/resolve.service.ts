import type { DeliveryStatus } from '#contract/deliveries.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorDeliveries } from '#contract/operator/deliveries.ts'
import { actAsOperator, appendAudit } from '#server/modules/audit/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { invariant } from '#server/platform/invariant.ts'
import type { NewAttempt } from './attempts.queries.ts'
import { keepAttempts, timed } from './attempts.service.ts'
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
  const answer = await answered(deps, resolution, {
    asked: 'cancel',
    ask: async () => ({ kind: await deps.game.cancel(resolution.deliveryId) }),
  })
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
    if (!(await retryNow(tx, resolution))) throw deliveryNotParked()
    return statusOf('unknown')
  })
}

/** False for one that is not parked. */
async function retryNow(tx: Tx, resolution: Resolution): Promise<boolean> {
  if (!(await updateParkedToDue(tx, resolution.deliveryId))) return false
  await notifyDeliveryDue(tx)
  await auditResolution(tx, resolution, {
    action: 'deliveries.retry',
    details: { before: 'parked', after: 'unknown' },
  })
  return true
}

type Call<Body> = Parameters<typeof actAsOperator>[1] & { body: Body }
type Retried = AnswerOf<typeof operatorDeliveries.retryMany>

/** The same for several: each that is parked is sent again, the others stay as they are. Locked in one order. */
export async function retryDeliveries(
  deps: DeliveriesDeps,
  call: Call<{ ids: string[]; reason: string }>,
): Promise<Retried> {
  const { ids, reason } = call.body
  const asked = { operatorId: call.identity.userId, reason, requestId: call.request.id }
  return actAsOperator<Retried>(deps, call, {
    action: 'deliveries.retry-many',
    async work(tx) {
      const answer: Retried = []
      for (const id of [...new Set(ids)].toSorted()) {
        if (await retryNow(tx, { ...asked, deliveryId: id })) answer.push({ id, status: 'sent' })
        else answer.push({ id, status: (await findDeliveryState(tx, id)) ? 'not-parked' : 'not-found' })
      }
      // Each delivery that was sent has its row in the trail.
      return { answer, audit: null }
    },
  })
}

/** What the game knows of a delivery, on an operator's question. */
export async function askAboutDelivery(
  deps: DeliveriesDeps,
  call: Call<{ reason: string }> & { params: { id: string } },
): Promise<{ known: Known }> {
  const { id } = call.params
  await assertExists(deps, id)
  const known = await askGame(deps, { deliveryId: id, operatorId: call.identity.userId })
  return actAsOperator(deps, call, {
    action: 'deliveries.ask',
    work: async () => ({
      answer: { known },
      audit: { subject: { type: 'delivery', id }, details: { known } },
    }),
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
  const known = await askGame(deps, resolution)
  if (known === 'not-applied') throw gameKnowsNothing()
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

type Asking = Pick<Resolution, 'deliveryId' | 'operatorId'>
type Known = 'applied' | 'cancelled' | 'not-applied'

const askGame = (deps: DeliveriesDeps, asking: Asking): Promise<Known> =>
  answered(deps, asking, {
    asked: 'status',
    async ask() {
      const known = await deps.game.deliveryStatus(asking.deliveryId)
      return { kind: known === 'unknown' ? 'not-applied' : known }
    },
  })

type Question = { asked: 'status' | 'cancel'; ask: () => Promise<{ kind: Known }> }

/** The game's answer; without one the act is refused and nothing changes. The question is kept either way. */
async function answered(deps: DeliveriesDeps, asking: Asking, { asked, ask }: Question): Promise<Known> {
  const attempts: NewAttempt[] = []
  const answer = await timed(deps, { attempts, asked }, () =>
    ask().catch((error: unknown) => {
      deps.log.warn(
        { err: error, deliveryId: asking.deliveryId },
        'the game did not answer an operator’s question',
      )
      return { kind: 'unknown' as const, cause: error instanceof Error ? error.message : String(error) }
    }),
  )
  await keepAttempts(deps, attempts, asking)
  if (answer.kind === 'unknown') throw gameDoesNotAnswer()
  return answer.kind
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
