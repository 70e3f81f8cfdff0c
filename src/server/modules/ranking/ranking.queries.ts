import { sql } from 'kysely'
import type { RankingRow } from '#contract/ranking.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'

/** More tabs than a page could show; a bound, not a page. */
const GROUPS_MAX = 50

export type GroupRow = { id: string; name: string; description: string; value_name: string }

export async function selectGroups(db: Db): Promise<GroupRow[]> {
  return db
    .selectFrom('ranking_groups')
    .select(['id', 'name', 'description', 'value_name'])
    .orderBy('position')
    .orderBy('id')
    .limit(GROUPS_MAX)
    .execute()
}

/** A row of the picture; `user_id` is null where the portal knows no player. */
type Entry = Omit<RankingRow, 'is_mine'> & { user_id: string | null }

/** `takenAt` is null while no picture was taken. */
export type Standing = { takenAt: Date | null; entries: Entry[] }

type RawEntry = { taken_at: Date | null } & ({ rank: null } | (Omit<Entry, 'value'> & { value: string }))

/**
 * The first rows of a group's picture and the player's best one, by rank; undefined when there is no such group. One
 * statement, so that a picture that is being replaced is seen either as it was or as it is.
 */
export async function selectStanding(
  db: Db,
  { groupId, userId, rows }: { groupId: string; userId: string; rows: number },
): Promise<Standing | undefined> {
  const columns = sql`rank, user_id, server_id, name, value, class_id, level`
  const answer = await sql<RawEntry>`
    SELECT s.taken_at, e.*
      FROM ranking_groups g
      LEFT JOIN ranking_snapshots s ON s.group_id = g.id
      LEFT JOIN LATERAL (
        (SELECT ${columns} FROM ranking_entries WHERE group_id = g.id AND rank <= ${rows})
        UNION
        (SELECT ${columns} FROM ranking_entries
          WHERE group_id = g.id AND user_id = ${userId}::bigint ORDER BY rank LIMIT 1)
      ) e ON true
     WHERE g.id = ${groupId}::bigint
     ORDER BY e.rank`.execute(db)
  const [first] = answer.rows
  if (first === undefined) return undefined
  return {
    takenAt: first.taken_at,
    entries: answer.rows.flatMap((row) =>
      row.rank === null ? [] : [{ ...row, value: parseCoins(row.value) }],
    ),
  }
}
