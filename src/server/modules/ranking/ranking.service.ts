import type { getGroupEntries } from '#contract/ranking.ts'
import { RANKING_ROWS } from '#contract/ranking.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { selectStanding } from './ranking.queries.ts'

export { selectGroups as listGroups } from './ranking.queries.ts'

/** The last picture of a group as one player sees it. */
export async function getStanding(
  db: Db,
  { groupId, userId, serverId }: { groupId: string; userId: string; serverId: string | undefined },
): Promise<AnswerOf<typeof getGroupEntries>> {
  const standing = /^[1-9]\d{0,17}$/.test(groupId)
    ? await selectStanding(db, { groupId, userId, serverId, rows: RANKING_ROWS })
    : undefined
  if (standing === undefined) throw notFound()
  const rows = standing.entries.map(({ user_id, ...entry }) => ({ ...entry, is_mine: user_id === userId }))
  const mine = rows.find((row) => row.is_mine)
  return {
    updated_at: standing.takenAt?.toISOString() ?? null,
    rows: rows.filter(({ rank }) => rank <= RANKING_ROWS),
    ...(mine ? { mine } : {}),
  }
}
