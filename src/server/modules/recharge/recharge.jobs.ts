import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import type { RechargeDeps } from './recharge-deps.ts'
import { expireOrders } from './recharge.service.ts'

const EXPIRY_PAUSE_MS = 5_000

/** Orders whose time has run out. */
export function startRechargeJobs(deps: RechargeDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'recharge expiry', pauseMs: EXPIRY_PAUSE_MS, round: () => expireOrders(deps) },
  ])
}
