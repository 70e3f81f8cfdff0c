import { startDeliveryWorker } from '#server/modules/deliveries/index.ts'
import { startPostJobs } from '#server/modules/posts/index.ts'
import { startRechargeJobs } from '#server/modules/recharge/index.ts'
import { startSessionJobs } from '#server/modules/sessions/index.ts'
import type { PortalDeps } from './deps.ts'
import type { Loop } from './platform/jobs/loop.ts'

/** Everything that runs without a request: deliveries, the recharge sweeper, clean-up. */
export function startWorker(portal: PortalDeps): Loop[] {
  return [
    ...startDeliveryWorker(portal),
    ...startRechargeJobs(portal),
    ...startSessionJobs(portal),
    ...startPostJobs(portal),
  ]
}
