import { RANKING_DEPTH, RANKING_ROWS } from '#contract/constants.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { boundsOf } from './ranking.rules.ts'
import {
  allowLongStatements,
  claimDueGroup,
  listDueGroups,
  removeOldDays,
  type DueGroup,
  replaceSnapshot,
  selectServerIds,
  selectTakenBefore,
  stagePage,
  stageRecharges,
} from './refresh.queries.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

export type RankingDeps = PlatformDeps & { game: GameBridge }

const AGE_SECONDS = 300
const GROUPS_AT_ONCE = 50
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
  const refresh = () =>
    workOff(deps, {
      job: 'rankings',
      limit: GROUPS_AT_ONCE,
      leaseSeconds: CLAIM_SECONDS,
      list: (db, isResting) =>
        listDueGroups(db, isResting, { takenBefore, claimSeconds: CLAIM_SECONDS, limit: GROUPS_AT_ONCE }),
      async work(id) {
        const group = await claimDueGroup(deps.db, id, { takenBefore, claimSeconds: CLAIM_SECONDS })
        if (group === undefined) return false
        await takeSnapshot(deps, group)
        return true
      },
    })
  while (await refresh()) continue
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
      const rows = await readPage(deps, group, { serverId, limit: PAGE_ROWS, offset })
      if (rows === null) return false
      const added = await stagePage(deps.db, group, { serverId, rows, claimSeconds: CLAIM_SECONDS })
      if (added === null) return false
      // A game that does not know pages answers the first one again.
      if (rows.length < PAGE_ROWS || added === 0) break
    }
  }
  return true
}

type PageOfBoard = Parameters<GameBridge['rankings']>[1]

/** Null where the game does not answer: the group is tried again when its claim ends. */
async function readPage({ game, log }: RankingDeps, { id, board }: Of<'game'>, page: PageOfBoard) {
  try {
    return await game.rankings(board, page)
  } catch (error) {
    log.warn({ err: error, groupId: id }, 'a ranking could not be refreshed')
    return null
  }
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

/** Checks every 30 seconds, and takes a new snapshot of the groups whose last one is five minutes old. */
export function startRankingJobs(deps: RankingDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'rankings', pauseMs: ROUND_MS, round: () => refreshRankings(deps) },
    { name: 'old rankings', pauseMs: HOUR_MS, round: () => removeOldDays(deps) },
  ])
}
