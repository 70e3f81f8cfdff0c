import { RANKING_DEPTH, RANKING_ROWS } from '#contract/constants.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { boundsOf } from './ranking.rules.ts'
import {
  allowLongStatements,
  claimDueGroup,
  DAYS_STORED,
  deleteOldDays,
  type DueGroup,
  replaceSnapshot,
  selectServerIds,
  selectTakenBefore,
  stagePage,
  stageRecharges,
} from './refresh.queries.ts'

export type RankingDeps = PlatformDeps & { game: GameBridge }

const AGE_SECONDS = 300
/** Longer than one page takes, for which the game has 10 s; each page claims the group again. */
const CLAIM_SECONDS = 120
/** As many as the game's contract lets an answer have. */
const PAGE_ROWS = 1_000

/**
 * Takes a new snapshot of every group whose last one is old. A claim with an end lets one worker at a time do it; a lock
 * would hold a connection while the game answers. A group that fails shows its old snapshot until the claim ends.
 */
export async function refreshRankings(
  deps: RankingDeps,
  { ageSeconds = AGE_SECONDS }: { ageSeconds?: number } = {},
): Promise<void> {
  // Fixed at the start, so that one call takes each snapshot once.
  const takenBefore = await selectTakenBefore(deps.db, ageSeconds)
  const claim = () => claimDueGroup(deps.db, { takenBefore, claimSeconds: CLAIM_SECONDS })
  for (let group = await claim(); group !== undefined; group = await claim()) {
    try {
      await takeSnapshot(deps, group)
    } catch (error) {
      // The next group may well succeed, and this one is tried again.
      deps.log.warn({ err: error, groupId: group.id }, 'a ranking could not be refreshed')
    }
  }
}

async function takeSnapshot(deps: RankingDeps, group: DueGroup): Promise<void> {
  const isRead = group.source === 'game' ? await readBoard(deps, group) : await readRecharges(deps, group)
  const isStored = isRead && (await inTransaction(deps.db, (tx) => replaceSnapshot(tx, group, RANKING_ROWS)))
  if (!isStored)
    deps.log.info({ groupId: group.id }, 'a ranking was changed, or claimed by others, while it was read')
}

type Of<Source> = Extract<DueGroup, { source: Source }>

/** Page by page, so that no more than one page is in memory, however many characters a server has. */
async function readBoard(deps: RankingDeps, group: Of<'game'>): Promise<boolean> {
  const servers = group.serverId === null ? await selectServerIds(deps.db) : [group.serverId]
  for (const serverId of servers) {
    for (let offset = 0; offset < RANKING_DEPTH; offset += PAGE_ROWS) {
      const rows = await deps.game.rankings(group.board, { serverId, limit: PAGE_ROWS, offset })
      const added = await stagePage(deps.db, group, { serverId, rows, claimSeconds: CLAIM_SECONDS })
      if (added === null) return false
      // A game that does not know pages answers the first one again.
      if (rows.length < PAGE_ROWS || added === 0) break
    }
  }
  return true
}

async function readRecharges({ db, clock }: RankingDeps, group: Of<'recharge'>): Promise<boolean> {
  await inTransaction(db, async (tx) => {
    await allowLongStatements(tx)
    await stageRecharges(tx, group, boundsOf(group, clock.now()))
  })
  return true
}

const ROUND_MS = 30_000
const HOUR_MS = 3_600_000
/** Each has thousands of rows, which are removed with it. */
const DAYS_OF_A_BATCH = 20

/** Checks every 30 seconds, and takes a new snapshot of the groups whose last one is five minutes old. */
export function startRankingJobs(deps: RankingDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'rankings', pauseMs: ROUND_MS, round: () => refreshRankings(deps) },
    {
      name: 'old rankings',
      pauseMs: HOUR_MS,
      round: async () =>
        (await deleteOldDays(deps.db, { days: DAYS_STORED, limit: DAYS_OF_A_BATCH })) === DAYS_OF_A_BATCH,
    },
  ])
}
