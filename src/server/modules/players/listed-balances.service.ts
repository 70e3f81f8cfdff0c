import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { listChangedBalances, listNextBalances, storeBalances } from './players.queries.ts'
import { type DueRows, workOff } from '#server/platform/queues/due-rows.ts'

/** Longer than a transaction may take, and than a worker is away when it is restarted. */
const CHANGED_MINUTES = 10
const SWEPT_AT_ONCE = 5_000

const store = (
  deps: Pick<PlatformDeps, 'db' | 'log'>,
  part: 'changed' | 'swept',
  { limit, list }: Pick<DueRows, 'limit' | 'list'>,
): Promise<boolean> => {
  const workAll = (ids: readonly string[]) => storeBalances(deps.db, ids)
  const work = async (id: string) => (await workAll([id])) > 0
  return workOff(deps, { job: 'order of players by balance', part, limit, list, work, workAll })
}

/** What has changed lately; true when there may be more. */
export const storeChanged = (deps: Pick<PlatformDeps, 'db' | 'log'>): Promise<boolean> =>
  store(deps, 'changed', {
    limit: SWEPT_AT_ONCE,
    list: (db, isResting) => listChangedBalances(db, isResting, CHANGED_MINUTES, SWEPT_AT_ONCE),
  })

/** The next part of all players; answers the last of it, or null when it was the last part. */
export async function storeNext(
  deps: Pick<PlatformDeps, 'db' | 'log'>,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  let reached: string | null = null
  await store(deps, 'swept', {
    // What is not in this part is no less due.
    limit: 0,
    async list(db, isResting) {
      const { ids, last } = await listNextBalances(db, isResting, { after, limit })
      reached = last
      return ids
    },
  })
  return reached
}

/**
 * Updates the order of players by balance: each round stores what changed, and the next part of all players, so that what
 * was missed while no worker ran is corrected. A round answers whether there is more to do at once: at first, until all
 * were read.
 */
function balanceRounds(deps: Pick<PlatformDeps, 'db' | 'log'>): () => Promise<boolean> {
  let after: string | null = null
  let isSwept = false
  return async () => {
    after = await storeNext(deps, { after: after ?? '0', limit: SWEPT_AT_ONCE })
    isSwept ||= after === null
    const hasMore = isSwept && (await storeChanged(deps))
    return !isSwept || hasMore
  }
}

const MINUTE_MS = 60_000

export function startPlayerJobs(deps: Pick<PlatformDeps, 'db' | 'log'>): Loop[] {
  return startLoops(deps.log, [
    { name: 'order of players by balance', pauseMs: MINUTE_MS, round: balanceRounds(deps) },
  ])
}
