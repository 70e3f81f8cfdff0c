import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { startSendingPool } from '#server/platform/jobs/sending-pool.ts'
import { setGauge } from '#server/domain/metrics.ts'
import { afterAttempt, afterSending, closedBreaker, isOpen, sendsAllowed } from './deliveries.rules.ts'
import { eraseOldAttempts } from './attempts.service.ts'
import {
  claimDue,
  expireLeases,
  sendClaimed,
  wakeTheForgotten,
  watchDeliveries,
  type DeliveriesDeps,
} from './worker.service.ts'

const LEASE_SWEEP_MS = 2_000
const FORGOTTEN_SWEEP_MS = 30_000
const WATCH_MS = 60_000
const HOUR_MS = 3_600_000

/** The worker: sends what is due, takes back leases that ran out, and raises the alarm when purchases wait too long. */
export function startDeliveryWorker(deps: DeliveriesDeps): Loop[] {
  const sender = startSender(deps)
  const loops = startLoops(deps.log, [
    {
      name: 'delivery leases',
      pauseMs: LEASE_SWEEP_MS,
      async round() {
        if ((await expireLeases(deps)) > 0) sender.wake()
      },
    },
    {
      name: 'deliveries behind others',
      pauseMs: FORGOTTEN_SWEEP_MS,
      async round() {
        if ((await wakeTheForgotten(deps)) > 0) sender.wake()
      },
    },
    { name: 'delivery watch', pauseMs: WATCH_MS, round: () => watchDeliveries(deps) },
    { name: 'old delivery attempts', pauseMs: HOUR_MS, round: () => eraseOldAttempts(deps) },
  ])
  return [sender, ...loops]
}

function startSender(deps: DeliveriesDeps): Loop {
  let breaker = closedBreaker
  setGauge('portal_delivery_breaker_open', {}, 0)
  return startSendingPool(deps, {
    name: 'deliveries',
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
    logFailure: (error, { id }) =>
      deps.log.error({ err: error, deliveryId: id }, 'a delivery could not be processed'),
  })
}
