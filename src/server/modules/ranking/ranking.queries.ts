import { sql, type RawBuilder } from 'kysely'
import { RANKING_DEPTH } from '#contract/constants.ts'
import type { BoardCount } from '#contract/game/board-counts.ts'
import type { RankingRow } from '#contract/ranking.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { countOf } from '#server/modules/game-bridge/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** More tabs than a page could show; a bound, not a page. */
const GROUPS_MAX = 50

type GroupRow = {
  id: string
  name: string
  source: 'game' | 'recharge'
  board: string | null
  has_board_name: boolean
  description: string
  value_name: string
  server_id: string | null
  counts: BoardCount | null
}

export async function selectGroups(db: Db): Promise<GroupRow[]> {
  return db
    .selectFrom('ranking_groups')
    .select(['id', 'name', 'source', 'board', 'has_board_name', 'description', 'value_name', 'server_id'])
    .select(countOf(sql.ref('board')).as('counts'))
    .$narrowType<{ source: GroupRow['source'] }>()
    .orderBy('position')
    .orderBy('id')
    .limit(GROUPS_MAX)
    .execute()
}

/** Which part of a group's ranking is read. */
export type RankingOf = {
  groupId: string
  userId: string
  serverId?: string | undefined
  classId?: number | undefined
  /** A day that is over; absent: now. */
  day?: string | undefined
}

/** A row of a ranking; `user_id` is null where the portal knows no player. */
type RankingEntry = Omit<RankingRow, 'is_mine' | 'class_name' | 'class_short_name' | 'head_name'> & {
  user_id: string | null
}

type Ranking = {
  source: GroupRow['source']
  /** The one server that the group is about. */
  serverId: string | null
  /** Null before the first snapshot, and for a day of which there is none. */
  takenAt: Date | null
  classIds: number[]
  /** The first day that is still stored. */
  firstDay: string | null
  /** Whether the ranking of the day before is stored. */
  hasPrevious: boolean
  entries: RankingEntry[]
}

type RawEntry = Omit<Ranking, 'entries'> &
  ({ rank: null } | (Omit<RankingEntry, 'value'> & { value: string }))

/** Who stands on the podium; they and the player are shown with a portrait. */
const PODIUM = 3

/**
 * So many more are read as may be hidden since the ranking was taken. Each is looked up by the `LIMIT 1`, where a join or a
 * condition could read all users.
 */
const SPARE_ROWS = 50

/** Of a moment, in Vietnam. */
export const dayOf = (moment: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${moment} AT TIME ZONE 'Asia/Ho_Chi_Minh')::date`

/** Of `u`: no operator and nobody who is banned, since the ranking was taken too. */
const mayBeRanked = sql`(u.ban_until IS NULL OR u.ban_until <= now())
     AND (u.sign_in_ban_until IS NULL OR u.sign_in_ban_until <= now())
     AND NOT EXISTS (SELECT FROM user_roles r WHERE r.user_id = u.id)`

const PLACES = {
  all: sql`rank`,
  server: sql`server_rank`,
  class: sql`class_rank`,
  both: sql`server_class_rank`,
}

function placeFor({ serverId, classId }: RankingOf): RawBuilder<unknown> {
  if (serverId !== undefined) return classId === undefined ? PLACES.server : PLACES.both
  return classId === undefined ? PLACES.all : PLACES.class
}

function rowsFor({ serverId, classId, day }: RankingOf): RawBuilder<unknown> {
  const conditions = [sql`group_id = g.id`]
  if (day !== undefined) conditions.push(sql`day = ${day}::date`)
  if (serverId !== undefined) conditions.push(sql`server_id = ${serverId}`)
  if (classId !== undefined) conditions.push(sql`class_id = ${classId}::integer`)
  // Each server is read so far only: places beyond are not known over several servers.
  if (serverId === undefined) conditions.push(sql`rank <= ${RANKING_DEPTH}`)
  return sql.join(conditions, sql` AND `)
}

/**
 * The first rows of a group's ranking, or of one server or class in it, and the player's best one, by rank; undefined when
 * there is no such group. One statement, so that a reader sees either the old snapshot or the new one.
 */
export async function selectRanking(db: Db, of: RankingOf & { rows: number }): Promise<Ranking | undefined> {
  const { groupId, userId, day, rows } = of
  const [table, snapshot] =
    day === undefined
      ? [
          sql`ranking_entries`,
          sql`SELECT taken_at, class_ids, ${dayOf(sql`taken_at`)} AS day FROM ranking_snapshots WHERE group_id = g.id`,
        ]
      : [
          sql`ranking_day_entries`,
          sql`SELECT taken_at, class_ids, day FROM ranking_days WHERE group_id = g.id AND day = ${day}::date`,
        ]
  const place = placeFor(of)
  const columns = sql`rank, entry.user_id, server_id, name, value, class_id, level`
  const placed = (condition: RawBuilder<unknown>, most: number) => sql`
    SELECT ${columns} FROM (
      SELECT ${place} AS rank, user_id, server_id, name, value, class_id, level FROM ${table}
       WHERE ${rowsFor(of)} AND ${place} IS NOT NULL AND ${condition}
       ORDER BY ${place} LIMIT ${most + SPARE_ROWS}) entry
      LEFT JOIN LATERAL (SELECT ${mayBeRanked} AS may FROM users u WHERE u.id = entry.user_id LIMIT 1) u ON true
      LEFT JOIN LATERAL (SELECT user_id FROM ranking_nickname WHERE user_id = entry.user_id LIMIT 1) n
        ON g.source = 'recharge'
     -- Nobody is shown among the recharges who does not want to be, whatever was stored.
     WHERE u.may IS NOT FALSE AND (g.source = 'game' OR n.user_id IS NOT NULL)
     ORDER BY entry.rank LIMIT ${most}`
  const answer = await sql<RawEntry>`
    SELECT g.source, g.server_id AS "serverId", s.taken_at AS "takenAt",
           coalesce(s.class_ids, '{}') AS "classIds", history.first_day::text AS "firstDay",
           EXISTS (SELECT FROM ranking_days d WHERE d.group_id = g.id AND d.day = s.day - 1) AS "hasPrevious",
           e.rank, e.user_id, e.server_id, coalesce(n.nickname, e.name) AS name, e.value, e.class_id, e.level,
           before.rank AS previous_rank, portrait.head
      FROM ranking_groups g
      LEFT JOIN LATERAL (${snapshot}) s ON true
      LEFT JOIN LATERAL (SELECT min(day) AS first_day FROM ranking_days WHERE group_id = g.id) history ON true
      LEFT JOIN LATERAL (
        (${placed(sql`true`, rows)})
        UNION
        (${placed(sql`user_id = ${userId}::bigint`, 1)})
      ) e ON true
      LEFT JOIN LATERAL (SELECT nickname FROM ranking_nickname WHERE user_id = e.user_id LIMIT 1) n
        ON g.source = 'recharge'
      LEFT JOIN LATERAL (
        SELECT ${place} AS rank FROM ranking_day_entries
         WHERE server_id = e.server_id AND name = e.name AND group_id = g.id AND day = s.day - 1 LIMIT 1
      ) before ON true
      LEFT JOIN LATERAL (
        SELECT head FROM game_character c
         WHERE g.source = 'game' AND (e.rank <= ${PODIUM} OR e.user_id = ${userId}::bigint)
           AND c.user_id = e.user_id AND c.server_id = e.server_id AND c.name = e.name LIMIT 1
      ) portrait ON true
     WHERE g.id = ${groupId}::bigint
     ORDER BY e.rank`.execute(db)
  const [first] = answer.rows
  if (first === undefined) return undefined
  const { source, serverId, takenAt, classIds, firstDay, hasPrevious } = first
  const head = { source, serverId, takenAt, classIds, firstDay, hasPrevious }
  return {
    ...head,
    entries: answer.rows.flatMap((row) =>
      row.rank === null ? [] : [{ ...entryOf(row), value: parseCoins(row.value) }],
    ),
  }
}

type RankedRow = Extract<RawEntry, { rank: number }>

const entryOf = ({ rank, user_id, server_id, name, class_id, level, previous_rank, head }: RankedRow) => ({
  rank,
  user_id,
  server_id: server_id === '' ? null : server_id,
  name,
  class_id,
  level,
  previous_rank,
  head,
})

/** Of a player who has no place in a ranking. */
export type Unranked = {
  /** An operator, or banned. */
  isExcluded: boolean
  hasNickname: boolean
  /** The strongest character that the ranking could have: null when there is none. */
  character: { name: string; server_id: string; class_id: number; level: number; head: number } | null
}

export async function selectUnranked(
  db: Db,
  { userId, serverId, classId }: Pick<RankingOf, 'userId' | 'serverId' | 'classId'>,
): Promise<Unranked> {
  const { rows } = await sql<Unranked>`
    SELECT EXISTS (SELECT FROM users u WHERE u.id = p.id AND NOT (${mayBeRanked})) AS "isExcluded",
           EXISTS (SELECT FROM ranking_nickname n WHERE n.user_id = p.id) AS "hasNickname",
           (SELECT json_build_object('name', c.name, 'server_id', c.server_id, 'class_id', c.class_id,
                                     'level', c.level, 'head', c.head)
              FROM game_character c
             WHERE c.user_id = p.id
               ${serverId === undefined ? sql`` : sql`AND c.server_id = ${serverId}`}
               ${classId === undefined ? sql`` : sql`AND c.class_id = ${classId}::integer`}
             ORDER BY c.level DESC, c.id LIMIT 1) AS character
      FROM (SELECT ${userId}::bigint AS id) p`.execute(db)
  return rows[0] as Unranked
}
