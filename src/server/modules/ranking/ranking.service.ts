import type { AnswerOf } from '#contract/endpoint.ts'
import { type getGroupEntries, type listGroups as listGroupsCall, RANKING_ROWS } from '#contract/ranking.ts'
import { maskName } from '#server/modules/accounts/index.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import type { GameNames } from '#server/domain/game-names.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import {
  selectStanding,
  allowLongStatements,
  claimDueGroup,
  type DueGroup,
  eraseEntries,
  exportRanking,
  replaceSnapshot,
  selectAccounts,
  selectGroups,
  selectServerIds,
  selectTopRecharges,
} from './ranking.queries.ts'
import { type Candidate, ENTRIES_MAX, monthStart, ranked } from './ranking.rules.ts'

export const personalRanking: PersonalPart = { lists: { ranking: exportRanking }, erase: eraseEntries }

export async function listGroups(db: Db, names: GameNames): Promise<AnswerOf<typeof listGroupsCall>> {
  const groups = await selectGroups(db)
  return groups.map(({ board, has_board_name, name, ...group }) => ({
    ...group,
    name: has_board_name && board !== null ? names.boardName(board) : name,
  }))
}

type Standing = { groupId: string; userId: string; serverId: string | undefined; names: GameNames }

/** The last snapshot of a group as one player sees it. */
export async function getStanding(
  db: Db,
  { groupId, userId, serverId, names }: Standing,
): Promise<AnswerOf<typeof getGroupEntries>> {
  const standing = /^[1-9]\d{0,17}$/.test(groupId)
    ? await selectStanding(db, { groupId, userId, serverId, rows: RANKING_ROWS })
    : undefined
  if (standing === undefined) throw notFound()
  const rows = standing.entries.map(({ user_id, ...entry }) => {
    const ofClass = names.classOf(entry.class_id)
    return {
      ...entry,
      class_name: ofClass?.name ?? null,
      class_short_name: ofClass?.short_name ?? null,
      head_name: names.headName(entry.head),
      is_mine: user_id === userId,
    }
  })
  const mine = rows.find((row) => row.is_mine)
  return {
    updated_at: standing.takenAt?.toISOString() ?? null,
    rows: rows.filter(({ rank }) => rank <= RANKING_ROWS),
    ...(mine ? { mine } : {}),
  }
}

export type RankingDeps = PlatformDeps & { game: GameBridge }

const AGE_SECONDS = 300
/** Longer than one snapshot takes; the game has 10 s to answer for each server's board. */
const CLAIM_SECONDS = 120
/** As many as the game's contract lets a board have. */
const BOARD_ROWS = 1_000

/**
 * Takes a new snapshot of every group whose last one is old. A claim with an end lets one worker at a time do it; a lock
 * would hold a connection while the game answers. A group that fails shows its old snapshot until the claim ends.
 */
export async function refreshRankings(
  deps: RankingDeps,
  { ageSeconds = AGE_SECONDS }: { ageSeconds?: number } = {},
): Promise<void> {
  // Fixed at the start, so that one call takes each snapshot once.
  const takenBefore = new Date(deps.clock.now().getTime() - ageSeconds * 1_000)
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

const ROUND_MS = 30_000

/** Checks every 30 seconds, and takes a new snapshot of the groups whose last one is five minutes old. */
export function startRankingJobs(deps: RankingDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'rankings', pauseMs: ROUND_MS, round: () => refreshRankings(deps) }])
}
