import type { PlatformDeps } from '#server/platform/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { balanceRounds } from './listed-balances.service.ts'

const MINUTE_MS = 60_000

export function startPlayerJobs({ db, log }: Pick<PlatformDeps, 'db' | 'log'>): Loop[] {
  return startLoops(log, [
    { name: 'order of players by balance', pauseMs: MINUTE_MS, round: balanceRounds(db) },
  ])
}
