import { maskName } from '#server/modules/accounts/index.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { type Candidate, ENTRIES_MAX, monthStart, ranked } from './ranking.rules.ts'
import {
  allowLongStatements,
  claimDueGroup,
  type DueGroup,
  replaceSnapshot,
  selectAccounts,
  selectServerIds,
  selectTopRecharges,
} from './refresh.queries.ts'

export type RankingDeps = PlatformDeps & { game: GameBridge }

const AGE_SECONDS = 300
/** Longer than one picture takes; the game is given 10 s for each server's board. */
const CLAIM_SECONDS = 120
/** As many as the game's contract lets a board have. */
const BOARD_ROWS = 1_000

/**
 * Takes a new picture of every group whose last one is old. One worker at a time by a claim that runs out, not by a lock
 * that would hold a connection while the game is asked. A group that fails keeps its old picture until the claim is over.
 */
export async function refreshRankings(
  deps: RankingDeps,
  { ageSeconds = AGE_SECONDS }: { ageSeconds?: number } = {},
): Promise<void> {
  // Fixed at the start, so that one call takes each picture once.
  const takenBefore = new Date(deps.clock.now().getTime() - ageSeconds * 1_000)
  const claim = () => claimDueGroup(deps.db, { takenBefore, claimSeconds: CLAIM_SECONDS })
  for (let group = await claim(); group !== undefined; group = await claim()) {
    try {
      await takePicture(deps, group)
    } catch (error) {
      // The next group may well succeed, and this one is tried again.
      deps.log.warn({ err: error, groupId: group.id }, 'a ranking could not be refreshed')
    }
  }
}

async function takePicture(deps: RankingDeps, group: DueGroup): Promise<void> {
  const entries = ranked(group.source === 'game' ? await fromGame(deps, group) : await fromRecharges(deps))
  await inTransaction(deps.db, (tx) => replaceSnapshot(tx, group.id, entries))
}

type GameGroup = Extract<DueGroup, { source: 'game' }>

async function fromGame(deps: RankingDeps, { board, serverId }: GameGroup): Promise<Candidate[]> {
  const found = []
  for (const server of serverId === null ? await selectServerIds(deps.db) : [serverId]) {
    const rows = await deps.game.rankings(board, { serverId: server, limit: BOARD_ROWS })
    found.push(...rows.map((row) => ({ ...row, serverId: server, account: row.account.toLowerCase() })))
  }
  const names = [...new Set(found.map(({ account }) => account))]
  const accounts = await selectAccounts(deps.db, names, deps.clock.now())
  return found
    .filter(({ account }) => accounts.get(account)?.isExcluded !== true)
    .map(({ account, ...row }) => ({ ...row, userId: accounts.get(account)?.userId ?? null }))
}

/** Computed from the ledger each time; the index holds the month's recharges only. */
async function fromRecharges({ db, clock }: RankingDeps): Promise<Candidate[]> {
  const now = clock.now()
  const rows = await inTransaction(db, async (tx) => {
    await allowLongStatements(tx)
    return selectTopRecharges(tx, { since: monthStart(now), now, limit: ENTRIES_MAX })
  })
  return rows.map(({ username, characterName, ...row }) => ({
    ...row,
    // A login name is half of a login, so a list that everybody reads shows its beginning only.
    name: characterName ?? maskName(username),
  }))
}

const LOOK_MS = 30_000

/** Looks often and takes a picture only where the last one is old: at the start, and then every few minutes. */
export function startRankingJobs(deps: RankingDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'rankings', pauseMs: LOOK_MS, round: () => refreshRankings(deps) }])
}
