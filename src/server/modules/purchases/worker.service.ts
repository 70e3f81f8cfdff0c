import type { DeliveryAttempt } from '#contract/operator/deliveries.ts'
import { GAME_TIMEOUT_MS, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { startSendingPool } from '#server/platform/queues/sending-pool.ts'
import { count, setGauge } from '#server/domain/metrics.ts'
import { startCollectionFollower } from './collection.service.ts'
import {
  nextStep,
  type AttemptResult,
  type NextStep,
  shortened,
  afterAttempt,
  afterSending,
  closedBreaker,
  isOpen,
  sendsAllowed,
} from './deliveries.rules.ts'
import { refundHold, settleHold, type Movement, type RefundDeps } from './deliveries.service.ts'
import {
  type NewAttempt,
  claimDueDeliveries,
  dueDeliveries,
  summariseOpen,
  updateClaimed,
  endExpiredLeases,
  wakeSleeping,
  wakeForgotten,
  wakeNext,
  type Claimed,
  removeOldAttempts,
  insertAttempts,
} from './worker.queries.ts'
import { messageOf } from '#server/platform/values/errors.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import { claimEach, type DuePart } from '#server/platform/queues/claiming.ts'

/** Right before the game is called, between its answer about a status and sending again, and right after it answered. */
export type PausePoint = 'claimed' | 'asked' | 'called'

export type DeliveriesDeps = RefundDeps & {
  game: GameBridge
  /** Places where tests stop or kill a worker; nothing else hands one in. */
  pausePoint?: (point: PausePoint, deliveryId: string) => Promise<void>
  /** Shorter in tests that wait for a lease to run out. */
  deliveryLeaseSeconds?: number
}

/** What is given again is asked about twice, itself and what it replaces, before it is sent. */
const LEASE_SECONDS = leaseSecondsFor({ calls: 3, timeoutMs: GAME_TIMEOUT_MS })
const ALARM_SECONDS = 300
const JOB = 'deliveries'

const leaseSecondsOf = ({ deliveryLeaseSeconds }: Pick<DeliveriesDeps, 'deliveryLeaseSeconds'>): number =>
  deliveryLeaseSeconds ?? LEASE_SECONDS

export async function claimDue(deps: DeliveriesDeps, limit: number): Promise<Claimed[]> {
  const leaseSeconds = leaseSecondsOf(deps)
  const claim = async (part: DuePart): Promise<Claimed[]> => {
    for (;;) {
      const { claimed, setAside } = await claimDueDeliveries(deps.db, part, leaseSeconds)
      // What may be taken can stand after what was set aside.
      if (claimed.length > 0 || setAside === 0) return claimed
    }
  }
  return claimEach(deps, { job: JOB, leaseSeconds, due: dueDeliveries, claim }, limit)
}

/**
 * Sends one claimed delivery, outside any transaction, and writes down what came of it. A failure to write leaves the
 * lease to run out, which makes it `unknown`. Answers whether the game answered.
 */
export async function sendClaimed(
  deps: DeliveriesDeps,
  claimed: Claimed,
): Promise<{ wasAnswered: boolean; state: NextStep['state'] }> {
  await deps.pausePoint?.('claimed', claimed.id)
  const attempts: NewAttempt[] = []
  const result = await attempt(deps, claimed, attempts)
  await deps.pausePoint?.('called', claimed.id)
  const step = nextStep(result, { ...claimed, chance: Math.random() })
  const end = await record(deps, claimed, step)
  await storeAttempts(deps, attempts, { deliveryId: claimed.id, operatorId: null })
  const { log } = deps
  const facts = factsOf(claimed)
  if (end !== 'taken over') {
    const { state } = step
    count('portal_deliveries_total', {
      outcome: state === 'pending' || state === 'unknown' ? 'retried' : state,
    })
  }
  if (end === 'taken over') {
    log.warn(facts, 'a delivery was taken over by another worker before its outcome was written')
  } else if (end !== null) {
    log.info({ ...facts, ...end() }, 'a delivery came to its end')
  } else if (step.state === 'parked') {
    log.error({ event: 'delivery.parked', ...facts, note: step.note }, 'a delivery waits for an operator')
  }
  return { wasAnswered: result.kind !== 'not-received' && result.kind !== 'unknown', state: step.state }
}

/** What joins the lines of one purchase. */
const factsOf = ({ id, userId, requestId, attempt: number }: Claimed) => ({
  deliveryId: id,
  userId,
  requestId,
  attempt: number,
})

async function attempt(
  deps: DeliveriesDeps,
  claimed: Claimed,
  attempts: NewAttempt[],
): Promise<AttemptResult> {
  const { game, pausePoint } = deps
  if (claimed.wasUnknown) {
    const known = await timed(deps, { attempts, asked: 'status' }, () => askStatus(game, claimed.id))
    logAnswer(deps, claimed, { event: 'delivery.asked', answer: known })
    if (known.kind !== 'not-applied') return known
    await pausePoint?.('asked', claimed.id)
  }
  const found = claimed.replaces === null ? null : await withoutNeed(deps, claimed, attempts)
  if (found !== null) return found
  const { id, serverId, account, characterId, goods } = claimed
  const answer = await timed(deps, { attempts, asked: 'deliver' }, () =>
    game.deliver({ id, serverId, account, characterId, goods }),
  )
  logAnswer(deps, claimed, { event: 'delivery.sent', answer })
  return answer
}

/**
 * Goods that are given again are not given while the game has those they replace, perhaps since its newer copy is back:
 * the game cancels the delivery, which ends it. Null: it does not have them.
 */
async function withoutNeed(
  deps: DeliveriesDeps,
  claimed: Claimed,
  attempts: NewAttempt[],
): Promise<AttemptResult | null> {
  const { game } = deps
  const replaced = await timed(deps, { attempts, asked: 'status' }, () =>
    askStatus(game, claimed.replaces ?? ''),
  )
  if (replaced.kind === 'not-applied' || replaced.kind === 'cancelled') return null
  if (replaced.kind !== 'applied') return replaced
  const answer = await timed(deps, { attempts, asked: 'cancel' }, () => cancel(game, claimed.id))
  logAnswer(deps, claimed, { event: 'delivery.cancelled', answer })
  return answer
}

async function cancel(game: GameBridge, id: string): Promise<AttemptResult> {
  try {
    return { kind: await game.cancel(id) }
  } catch (error) {
    return { kind: 'unknown', cause: `cancel: ${messageOf(error)}` }
  }
}

type GameAnswer = AttemptResult | { kind: 'not-applied' }

async function askStatus(game: GameBridge, id: string): Promise<GameAnswer> {
  try {
    const known = await game.deliveryStatus(id)
    return known === 'unknown' ? { kind: 'not-applied' } : { kind: known }
  } catch (error) {
    // Nothing is known that was not known before; the delay before the next question grows.
    return { kind: 'unknown', cause: `status: ${messageOf(error)}` }
  }
}

type Answered = { event: 'delivery.asked' | 'delivery.sent' | 'delivery.cancelled'; answer: GameAnswer }

function logAnswer({ log }: DeliveriesDeps, claimed: Claimed, { event, answer }: Answered): void {
  const level = answer.kind === 'applied' || answer.kind === 'not-applied' ? 'info' : 'warn'
  log[level](
    { event, ...factsOf(claimed), answer: answer.kind, note: noteOf(answer) },
    'the game was asked or sent a delivery',
  )
}

/** What moved with the outcome, or null; 'taken over' when the claim no longer holds, and nothing was written. */
async function record(
  deps: DeliveriesDeps,
  claimed: Claimed,
  step: NextStep,
): Promise<(() => Movement) | null | 'taken over'> {
  return inTransaction(deps.db, async (tx) => {
    const held = await updateClaimed(tx, claimed, step)
    if (!held) return 'taken over'
    if (step.state !== 'pending' && step.state !== 'unknown') await wakeNext(tx, claimed.id)
    if (step.state === 'delivered') return settleHold(deps, tx, held)
    if (step.state === 'refunded') return refundHold(deps, tx, { held, note: step.note })
    return null
  })
}

/** Ends leases that ran out; what they sent may have arrived, so they become `unknown`. Answers whether there were any. */
export async function expireLeases(
  deps: Pick<DeliveriesDeps, 'db' | 'log' | 'deliveryLeaseSeconds'>,
): Promise<boolean> {
  const haveExpired = await endExpiredLeases(deps, leaseSecondsOf(deps))
  if (haveExpired) deps.log.warn('leases of deliveries ran out')
  return haveExpired
}

/** Answers whether some waited for a moment that lies further ahead than any delay. */
async function wakeTheSleeping(deps: DeliveriesDeps): Promise<boolean> {
  const areWoken = await wakeSleeping(deps)
  if (areWoken) deps.log.warn('deliveries waited for a time that a clock that was ahead had set')
  return areWoken
}

/** Answers whether some waited behind nothing, which must never be. */
async function wakeTheForgotten(deps: DeliveriesDeps): Promise<boolean> {
  const areWoken = await wakeForgotten(deps)
  if (areWoken) deps.log.warn('deliveries waited behind others that had come to their end')
  return areWoken
}

/** Raises the alarm while a purchase waits longer than it ever should, and while one waits for an operator. */
async function watchDeliveries({ db, log }: DeliveriesDeps): Promise<void> {
  const { seconds, parked } = await summariseOpen(db)
  if (seconds !== null && seconds > ALARM_SECONDS) {
    log.error({ event: 'delivery.late', seconds: Math.round(seconds) }, 'deliveries are late')
  }
  if (parked > 0) log.error({ event: 'delivery.parked', parked }, 'deliveries wait for an operator')
}

type CallKind = DeliveryAttempt['asked']
type TimedAnswer = { kind: DeliveryAttempt['answer']; reason?: string; cause?: string }

/** Why the game answered so, or why nothing came back. */
const noteOf = ({ reason, cause }: TimedAnswer): string | undefined => reason ?? cause

/** Calls the game once, and adds the result to `attempts`. */
export async function timed<Answer extends TimedAnswer>(
  { clock }: Pick<PlatformDeps, 'clock'>,
  { attempts, asked }: { attempts: NewAttempt[]; asked: CallKind },
  send: () => Promise<Answer>,
): Promise<Answer> {
  const [asked_at, startedAt_ms] = [clock.now(), performance.now()]
  const answer = await send()
  const note = noteOf(answer)
  attempts.push({
    asked,
    answer: answer.kind,
    note: note === undefined ? null : shortened(note),
    took_ms: Math.round(performance.now() - startedAt_ms),
    asked_at,
  })
  return answer
}

/**
 * Stores the attempts about a delivery, after its outcome is written. Never throws: what happens to a delivery must not
 * depend on these rows.
 */
export async function storeAttempts(
  { db, log }: Pick<PlatformDeps, 'db' | 'log'>,
  attempts: readonly NewAttempt[],
  about: { deliveryId: string; operatorId: string | null },
): Promise<void> {
  try {
    if (attempts.length > 0) await insertAttempts(db, attempts, about)
  } catch (error) {
    log.warn({ err: error, ...about }, 'the attempts about a delivery could not be stored')
  }
}

const STORED_DAYS = 90

/** Erases one batch of attempts older than 90 days; true when there may be more. */
export const eraseOldAttempts = (deps: Pick<PlatformDeps, 'db' | 'log'>): Promise<boolean> =>
  removeOldAttempts(deps, STORED_DAYS)

const LEASE_SWEEP_MS = 2_000
const FORGOTTEN_SWEEP_MS = 30_000
const WATCH_MS = 60_000
const HOUR_MS = 3_600_000

/** The worker: sends what is due, follows it until it is collected, takes back leases that ran out, and raises the alarm when purchases wait too long. */
export function startDeliveryWorker(deps: DeliveriesDeps): Loop[] {
  const sender = startSender(deps)
  const loops = startLoops(deps.log, [
    {
      name: 'delivery leases',
      pauseMs: LEASE_SWEEP_MS,
      async round() {
        if (await expireLeases(deps)) sender.wake()
      },
    },
    {
      name: 'deliveries behind others',
      pauseMs: FORGOTTEN_SWEEP_MS,
      async round() {
        if (await wakeTheForgotten(deps)) sender.wake()
      },
    },
    {
      name: 'sleeping deliveries',
      pauseMs: FORGOTTEN_SWEEP_MS,
      async round() {
        if (await wakeTheSleeping(deps)) sender.wake()
      },
    },
    { name: 'delivery watch', pauseMs: WATCH_MS, round: () => watchDeliveries(deps) },
    { name: 'old delivery attempts', pauseMs: HOUR_MS, round: () => eraseOldAttempts(deps) },
  ])
  return [sender, ...loops, ...startCollectionFollower(deps)]
}

function startSender(deps: DeliveriesDeps): Loop {
  let breaker = closedBreaker
  setGauge('portal_delivery_breaker_open', {}, 0)
  return startSendingPool(deps, {
    job: JOB,
    leaseSeconds: LEASE_SECONDS,
    channel: 'delivery_due',
    pollMs: 1_000,
    parallelMax: 8,
    drainMs: 10_000,
    async claim(room) {
      const limit = sendsAllowed(breaker, performance.now(), room)
      if (limit === 0) return []
      const batch = await claimDue(deps, limit)
      if (batch.length > 0) breaker = afterSending(breaker, performance.now())
      return batch
    },
    async send(claimed) {
      const { wasAnswered } = await sendClaimed(deps, claimed)
      breaker = afterAttempt(breaker, wasAnswered, performance.now())
      setGauge('portal_delivery_breaker_open', {}, isOpen(breaker) ? 1 : 0)
    },
    idOf: ({ id }) => id,
  })
}
