import { startLoop, type Loop } from '#server/platform/jobs/loop.ts'
import type { RechargeDeps } from './recharge-deps.ts'
import { askDueCheckouts } from './checkout.service.ts'
import { expireOrders } from './recharge.service.ts'
import { sweepEvents } from './settlement.service.ts'

const SWEEP_PAUSE_MS = 2_000
const EXPIRY_PAUSE_MS = 5_000
const CHECKOUT_PAUSE_MS = 2_000

/** Notifications that were stored but not settled, orders whose time has run out, and what gateways know of orders. */
export function startRechargeJobs(deps: RechargeDeps): Loop[] {
  let sweptUpTo = '0'
  return [
    startLoop({
      name: 'recharge sweeper',
      pauseMs: SWEEP_PAUSE_MS,
      log: deps.log,
      round: async () => {
        sweptUpTo = await sweepEvents(deps, sweptUpTo)
        return sweptUpTo !== '0'
      },
    }),
    startLoop({
      name: 'recharge expiry',
      pauseMs: EXPIRY_PAUSE_MS,
      log: deps.log,
      round: () => expireOrders(deps),
    }),
    startLoop({
      name: 'recharge checkouts',
      pauseMs: CHECKOUT_PAUSE_MS,
      log: deps.log,
      round: () => askDueCheckouts(deps),
    }),
  ]
}
