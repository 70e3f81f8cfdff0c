import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { RANKING_ROWS } from '#contract/constants.ts'
import type { getGroupEntries, listGroups as listGroupsCall } from '#contract/ranking.ts'
import type { GameNames } from '#server/domain/game-names.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/values/errors.ts'
import {
  selectGroups,
  selectRanking,
  selectUnranked,
  type RankingOf,
  type Unranked,
} from './ranking.queries.ts'

export async function listGroups(db: Db, names: GameNames): Promise<AnswerOf<typeof listGroupsCall>> {
  const groups = await selectGroups(db)
  return groups.map(({ board, has_board_name, name, ...group }) => ({
    ...group,
    name: has_board_name && board !== null ? names.boardName(board) : name,
  }))
}

type Asked = { groupId: string; userId: string; query: QueryOf<typeof getGroupEntries>; names: GameNames }

type Answer = AnswerOf<typeof getGroupEntries>

/** A ranking of a group, now or at the end of a day, as one player sees it. */
export async function getRanking(db: Db, { groupId, userId, query, names }: Asked): Promise<Answer> {
  const of = { groupId, userId, serverId: query.server, classId: query.class, day: query.day }
  const ranking = /^[1-9]\d{0,17}$/.test(groupId)
    ? await selectRanking(db, { ...of, rows: RANKING_ROWS })
    : undefined
  if (ranking === undefined) throw notFound()
  const named = <Row extends { class_id: number | null; head: number | null }>(row: Row) => {
    const ofClass = names.classOf(row.class_id)
    return {
      ...row,
      class_name: ofClass?.name ?? null,
      class_short_name: ofClass?.short_name ?? null,
      head_name: names.headName(row.head),
    }
  }
  const rows = ranking.entries.map(({ user_id, ...entry }) => ({
    ...named(entry),
    is_mine: user_id === userId,
  }))
  const mine = rows.find((row) => row.is_mine)
  const { state, character } = mine
    ? { state: 'ranked' as const, character: null }
    : await whyNot(db, { ...of, serverId: ranking.serverId ?? of.serverId }, ranking.source)
  return {
    updated_at: ranking.takenAt?.toISOString() ?? null,
    first_day: ranking.firstDay,
    has_previous: ranking.hasPrevious,
    classes: ranking.classIds.flatMap((id) => {
      const ofClass = names.classOf(id)
      return ofClass === null ? [] : [{ id, name: ofClass.name }]
    }),
    rows: rows.filter(({ rank }) => rank <= RANKING_ROWS),
    ...(mine ? { mine } : {}),
    own: { state, character: character && named(character) },
  }
}

/** Why a player has no place in a ranking. */
async function whyNot(
  db: Db,
  of: RankingOf,
  source: 'game' | 'recharge',
): Promise<Pick<Answer['own'], 'state'> & Pick<Unranked, 'character'>> {
  const { isExcluded, hasNickname, character } = await selectUnranked(db, of)
  if (isExcluded) return { state: 'excluded', character: null }
  if (source === 'recharge') return { state: hasNickname ? 'none' : 'hidden', character: null }
  // Of an earlier day it is not known which characters there were.
  if (character === null || of.day !== undefined) return { state: 'none', character: null }
  return { state: 'beyond', character }
}
