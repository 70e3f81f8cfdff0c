import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { storeChangedBalances, storeNextBalances } from './players.queries.ts'

/** Longer than a transaction may take, and than a worker is away when it is restarted. */
const CHANGED_MINUTES = 10
const SWEPT_AT_ONCE = 5_000

/**
 * Updates the order of players by balance: each round stores what changed, and the next part of all players, so that what
 * was missed while no worker ran is corrected. A round answers whether there is more to do at once: at first, until all
 * were read.
 */
function balanceRounds(db: Db): () => Promise<boolean> {
  let after: string | null = null
  let isSwept = false
  return async () => {
    after = await storeNextBalances(db, { after: after ?? '0', limit: SWEPT_AT_ONCE })
    isSwept ||= after === null
    if (isSwept) await storeChangedBalances(db, CHANGED_MINUTES)
    return !isSwept
  }
}

const MINUTE_MS = 60_000

export function startPlayerJobs({ db, log }: Pick<PlatformDeps, 'db' | 'log'>): Loop[] {
  return startLoops(log, [
    { name: 'order of players by balance', pauseMs: MINUTE_MS, round: balanceRounds(db) },
  ])
}
