import { sql } from 'kysely'
import type { RankingRow } from '#contract/ranking.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'

/** More tabs than a page could show; a bound, not a page. */
const GROUPS_MAX = 50

export type GroupRow = {
  id: string
  name: string
  description: string
  value_name: string
  server_id: string | null
}

export async function selectGroups(db: Db): Promise<GroupRow[]> {
  return db
    .selectFrom('ranking_groups')
    .select(['id', 'name', 'description', 'value_name', 'server_id'])
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

/** Who stands on the podium; they and the player are shown with a portrait. */
const PODIUM = 3

type Wanted = { groupId: string; userId: string; serverId?: string | undefined; rows: number }

/**
 * The first rows of a group's picture, or of one server in it, and the player's best one, by rank; undefined when there is
 * no such group. One statement, so that a picture that is being replaced is seen either as it was or as it is.
 */
export async function selectStanding(
  db: Db,
  { groupId, userId, serverId, rows }: Wanted,
): Promise<Standing | undefined> {
  const columns = sql`user_id, server_id, name, value, class_id, level`
  const ofGroup = sql`group_id = g.id ${serverId === undefined ? sql`` : sql`AND server_id = ${serverId}`}`
  // Ranks of all servers have gaps on each of them.
  const place =
    serverId === undefined
      ? sql`own.rank`
      : sql`(SELECT count(*)::integer FROM ranking_entries WHERE ${ofGroup} AND rank <= own.rank)`
  const answer = await sql<RawEntry>`
    SELECT s.taken_at, e.*, portrait.head
      FROM ranking_groups g
      LEFT JOIN ranking_snapshots s ON s.group_id = g.id
      LEFT JOIN LATERAL (
        (SELECT ${serverId === undefined ? sql`rank` : sql`(row_number() OVER (ORDER BY rank))::integer AS rank`}, ${columns}
           FROM ranking_entries WHERE ${ofGroup} ORDER BY ranking_entries.rank LIMIT ${rows})
        UNION
        (SELECT ${place}, ${columns}
           FROM (SELECT * FROM ranking_entries
                  WHERE ${ofGroup} AND user_id = ${userId}::bigint ORDER BY rank LIMIT 1) own)
      ) e ON true
      LEFT JOIN LATERAL (
        SELECT head FROM game_character c
         WHERE (e.rank <= ${PODIUM} OR e.user_id = ${userId}::bigint)
           AND c.user_id = e.user_id AND c.server_id = e.server_id AND c.name = e.name LIMIT 1
      ) portrait ON true
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
