import { startLoop, startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { afterAttempt, afterSending, closedBreaker, sendsAllowed } from './breaker.rules.ts'
import {
  claimDue,
  expireLeases,
  sendClaimed,
  watchDeliveries,
  type DeliveriesDeps,
} from './worker.service.ts'

/** Deliveries under way at once in this process. */
const PARALLEL_MAX = 8
const POLL_MS = 1_000
const LEASE_SWEEP_MS = 2_000
const WATCH_MS = 60_000
const DRAIN_MS = 10_000

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
    { name: 'delivery watch', pauseMs: WATCH_MS, round: () => watchDeliveries(deps) },
  ])
  return [sender, ...loops]
}

function startSender(deps: DeliveriesDeps): Loop {
  const sending = new Set<Promise<void>>()
  let breaker = closedBreaker

  const send = async (claimed: Parameters<typeof sendClaimed>[1]) => {
    try {
      const { wasAnswered } = await sendClaimed(deps, claimed)
      breaker = afterAttempt(breaker, wasAnswered, performance.now())
    } catch (error) {
      // Nothing was written, so the lease runs out and the delivery becomes unknown.
      deps.log.error({ err: error, deliveryId: claimed.id }, 'a delivery could not be seen through')
    }
  }

  const loop = startLoop({
    name: 'deliveries',
    pauseMs: POLL_MS,
    log: deps.log,
    async round() {
      const limit = sendsAllowed(breaker, performance.now(), PARALLEL_MAX - sending.size)
      if (limit === 0) return false
      const batch = await claimDue(deps, limit)
      if (batch.length > 0) breaker = afterSending(breaker, performance.now())
      for (const claimed of batch) {
        const work = send(claimed).finally(() => {
          sending.delete(work)
          // There is room again, and the character's next delivery may go.
          loop.wake()
        })
        sending.add(work)
      }
      return batch.length > 0
    },
  })

  const stopListening = deps.listener.on('delivery_due', () => loop.wake())
  deps.listener.onReconnect(() => loop.wake())
  return {
    wake: () => loop.wake(),
    async stop() {
      stopListening()
      await loop.stop()
      await finishedWithin(DRAIN_MS, sending)
    },
  }
}

/** Waits for what is under way, but not for ever: what takes longer is left to its lease. */
async function finishedWithin(ms: number, work: ReadonlySet<Promise<void>>): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([Promise.all(work), tooLong])
  clearTimeout(timer)
}
