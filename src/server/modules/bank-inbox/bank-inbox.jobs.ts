import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import { queryDueRefunds } from './gateway-refunds/gateway-refunds.service.ts'
import { eraseOldBodies } from './intake/payment-events.service.ts'
import { sweepEvents } from './intake/settlement.service.ts'

const SWEEP_PAUSE_MS = 2_000
const REFUNDS_PAUSE_MS = 5_000
const HOUR_MS = 3_600_000

/** Notifications that were stored but not settled or are old, and refunds that the gateway has not answered. */
export function startBankInboxJobs(deps: BankInboxDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'recharge sweeper', pauseMs: SWEEP_PAUSE_MS, round: () => sweepEvents(deps) },
    { name: 'gateway refunds', pauseMs: REFUNDS_PAUSE_MS, round: () => queryDueRefunds(deps) },
    { name: 'old payment notifications', pauseMs: HOUR_MS, round: () => eraseOldBodies(deps) },
  ])
}
