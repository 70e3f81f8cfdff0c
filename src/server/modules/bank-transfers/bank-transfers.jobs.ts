import { startLoop, type Loop } from '#server/platform/jobs/loop.ts'
import type { BankTransfersDeps } from './bank-transfers-deps.ts'
import { askDueRefunds } from './gateway-refunds.service.ts'

const LOOK_MS = 5_000

/** Refunds that the gateway has not answered. */
export function startBankTransferJobs(deps: BankTransfersDeps): Loop[] {
  return [
    startLoop({
      name: 'gateway refunds',
      pauseMs: LOOK_MS,
      log: deps.log,
      round: () => askDueRefunds(deps),
    }),
  ]
}
