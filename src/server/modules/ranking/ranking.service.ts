import type { getGroupEntries, listGroups as listGroupsEndpoint } from '#contract/ranking.ts'
import { RANKING_ROWS } from '#contract/ranking.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { selectGroups, selectStanding } from './ranking.queries.ts'

export async function listGroups(db: Db): Promise<AnswerOf<typeof listGroupsEndpoint>> {
  return selectGroups(db)
}

/** The last picture of a group as one player sees it. */
export async function getStanding(
  db: Db,
  groupId: string,
  userId: string,
): Promise<AnswerOf<typeof getGroupEntries>> {
  const standing = /^[1-9]\d{0,17}$/.test(groupId)
    ? await selectStanding(db, { groupId, userId, rows: RANKING_ROWS })
    : undefined
  if (standing === undefined) throw notFound()
  const rows = standing.entries.map(({ rank, name, serverId, classId, level, value, user }) => ({
    rank,
    name,
    server_id: serverId,
    class_id: classId,
    level,
    value,
    is_mine: user === userId,
  }))
  const mine = rows.find((row) => row.is_mine)
  return {
    updated_at: standing.takenAt?.toISOString() ?? null,
    rows: rows.filter(({ rank }) => rank <= RANKING_ROWS),
    ...(mine ? { mine } : {}),
  }
}
